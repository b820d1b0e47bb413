//! `cargo verify`: every check of the project, in the order in which a mistake is found soonest. The same steps
//! run on a developer's desk and in CI.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::browser_tools::{ensure_chromium, ensure_node, ensure_packages, node};
use crate::fidelity::Tables;
use crate::process::{Counts, Failure, cargo, lasted, output, root, run};
use crate::rust_tools::{Tools, WASM};
use crate::search;

/// The most that all files of a first visit may weigh together with gzip. Raise it only in a commit of its own.
const CEILING_GZIP_BYTES: &str = "1760000";

/// Crates that the core must not even have in its graph.
const BEHIND_THE_WALL: [&str; 4] = ["yew", "web-sys", "js-sys", "wasm-bindgen"];

/// All that is not the browser's half: the features of the aliases, so that it is compiled once.
const CORE: [&str; 3] = ["--no-default-features", "--features", "cli,dev"];
const ALL: [&str; 2] = ["--features", "cli,dev"];
/// Without this program, which Windows would not let us replace while it runs.
const ALL_BUT_DEV: [&str; 2] = ["--features", "cli"];

/// What to verify, and how.
#[derive(Default)]
pub struct Options {
    pub lists: bool,
    pub only: Vec<String>,
    pub keeps_going: bool,
    /// For the steps that are run by name only.
    pub search: search::Options,
}

/// One line of the list: a name to call it by, what it is, and what helps when it fails.
struct Step {
    name: &'static str,
    what: &'static str,
    helps: &'static str,
    run: fn(&Options) -> Result<Counts, Failure>,
}

const STEPS: [Step; 12] = [
    Step {
        name: "prepare",
        what: "find or install the tools, Chromium and the tests' packages",
        helps: "What is missing stands above; install it and try again.",
        run: |_| prepare(),
    },
    Step {
        name: "format",
        what: "the code is formatted",
        helps: "Run `cargo fmt`.",
        run: |_| run(&mut cargo(&["fmt", "--check"])),
    },
    Step {
        name: "lints-core",
        what: "clippy has nothing to say about the core and the native programs",
        helps: "Each warning says what it wants; an exception needs `#[expect(…, reason = \"…\")]`.",
        run: |_| clippy(&CORE),
    },
    Step {
        name: "lints",
        what: "clippy has nothing to say about the page",
        helps: "Each warning says what it wants; an exception needs `#[expect(…, reason = \"…\")]`.",
        run: |_| clippy(&ALL),
    },
    Step {
        name: "wall",
        what: "the core compiles alone, natively and for Wasm, with no crate of the browser in its graph",
        helps: "Something in the core needs the browser's half. ARCHITECTURE.md, section 2, says what may not.",
        run: |_| wall(),
    },
    Step {
        name: "core-tests",
        what: "the tests of the core",
        helps: "One test alone: cargo test --no-default-features --features cli,dev NAME",
        run: |_| run(cargo(&["test", "--no-fail-fast"]).args(CORE)),
    },
    Step {
        name: "view-tests",
        what: "the tests of the page's components",
        helps: "One test alone: cargo test --features cli NAME",
        run: |_| view_tests(),
    },
    Step {
        name: "traces",
        what: "the native runner agrees with each recorded trace",
        helps: "The lines above say where model and trace part; docs/fidelity.md says how to read them.",
        run: |_| traces(),
    },
    Step {
        name: "page",
        what: "trunk builds the page",
        helps: "Once the tools are there, `trunk build --release` alone shows the same.",
        run: |_| page(),
    },
    Step {
        name: "sizes",
        what: "a first visit stays below its ceiling",
        helps: "What grew? The ceiling is in src/bin/dev/verify.rs; raise it only in a commit of its own.",
        run: |_| run(&mut sizes(&["--ceiling-gzip", CEILING_GZIP_BYTES])),
    },
    Step {
        name: "wasm",
        what: "the same runs compiled to Wasm have the same digests",
        helps: "Something in the core depends on the machine: a float, a usize, an order. See tests/wasm.rs.",
        run: |_| wasm(),
    },
    Step {
        name: "browser",
        what: "the built page in a real Chromium",
        helps: "One file alone: node tests/browser/run.mjs NAME. Pictures are in tests/browser/out.",
        run: |_| browser(),
    },
];

/// Long searches, run by name only: `cargo verify --only random --runs 100000`.
const BY_NAME: [Step; 3] = [
    Step {
        name: "random",
        what: "random scenarios, with and without faults, keep every invariant (--runs N of each kind, --seed N); by name only",
        helps: "Each scenario file above reproduces its failure: headless FILE.toml --log. Once mended, keep it in tests/found.",
        run: |options| search::random(&options.search),
    },
    Step {
        name: "why",
        what: "events do not happen without the commands at their root (--runs N, --seed N); by name only",
        helps: "The chain above ends at a command that changed nothing. Which rule recorded its cause? See tests/why.rs.",
        run: |options| search::why(&options.search),
    },
    Step {
        name: "day",
        what: "24 virtual hours with a fault every minute: memory, invariants, speed; by name only",
        helps: "The lines above say what broke, and when; see tests/day.rs.",
        run: |_| search::day(),
    },
];

/// Runs the steps that were asked for and closes with how many tests and checks passed.
pub fn verify(options: &Options) -> Result<(), String> {
    let all = || STEPS.iter().chain(&BY_NAME);
    if let Some(unknown) = options.only.iter().find(|name| all().all(|step| step.name != **name)) {
        return Err(format!("There is no step \"{unknown}\"; `cargo verify --list` shows them."));
    }
    let is_named = |step: &&Step| options.only.iter().any(|name| name == step.name);
    let steps: Vec<&Step> = match (options.only.is_empty(), options.lists) {
        (true, true) => all().collect(),
        (true, false) => STEPS.iter().collect(),
        (false, _) => all().filter(is_named).collect(),
    };
    if options.lists {
        for step in steps {
            println!("{:<12} {}", step.name, step.what);
        }
        return Ok(());
    }

    let began = Instant::now();
    let mut total = Counts::default();
    let mut times: Vec<(&str, Duration, &str)> = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        println!("\n[{}/{}] {}: {}", index + 1, steps.len(), step.name, step.what);
        let started = Instant::now();
        let outcome = (step.run)(options);
        let took = started.elapsed();
        match outcome {
            Ok(counts) => {
                println!("[{}/{}] {}: ok, {}", index + 1, steps.len(), step.name, lasted(took));
                total = total.plus(if counts.passed == 0 { Counts::ONE } else { counts });
                times.push((step.name, took, "ok"));
            }
            Err(failure) => {
                println!("[{}/{}] {}: FAILED, {}", index + 1, steps.len(), step.name, lasted(took));
                println!("    {}\n    {}", failure.advice.replace('\n', "\n    "), step.helps);
                total =
                    total.plus(Counts { failed: failure.counts.failed.max(1), ..failure.counts });
                times.push((step.name, took, "FAILED"));
                if !options.keeps_going {
                    break;
                }
            }
        }
    }

    println!();
    for (name, took, outcome) in &times {
        println!("{name:<12} {:>14}  {outcome}", lasted(*took));
    }
    for step in steps.iter().skip(times.len()) {
        println!("{:<12} {:>14}  not run", step.name, "");
    }
    println!("{:<12} {:>14}", "all", lasted(began.elapsed()));
    println!("{} passed, {} failed", total.passed, total.failed);
    if total.failed == 0 { Ok(()) } else { Err(String::new()) }
}

/// `cargo numbers`: what a visit weighs, and how fast the engine is.
pub fn numbers() -> Result<(), String> {
    println!("The page:");
    page().and_then(|_| run(&mut sizes(&[]))).map_err(|failure| failure.advice)?;
    println!("\nThe engine:");
    run(&mut headless(&["happy-path", "--stats"])).map(|_| ()).map_err(|failure| failure.advice)
}

fn prepare() -> Result<Counts, Failure> {
    ensure_node()?;
    Tools::ensure()?;
    ensure_chromium()?;
    ensure_packages()?;
    Ok(Counts::ONE)
}

fn clippy(features: &[&str]) -> Result<Counts, Failure> {
    let mut command = cargo(&["clippy", "--all-targets"]);
    command.args(features).args(["--", "-D", "warnings"]);
    run(&mut command)
}

fn wall() -> Result<Counts, Failure> {
    let check = ["check", "--lib", "--no-default-features"];
    run(&mut cargo(&check))?;
    run(cargo(&check).args(["--target", WASM]))?;
    let graph = output(&mut cargo(&[
        "tree",
        "--no-default-features",
        "--edges",
        "normal",
        "--prefix",
        "none",
    ]))
    .ok_or_else(|| "`cargo tree` failed.".to_owned())?;
    let names = graph.lines().filter_map(|line| line.split(' ').next());
    let intruders = names.filter(|name| BEHIND_THE_WALL.contains(name)).collect::<Vec<_>>();
    if intruders.is_empty() {
        Ok(Counts::ONE)
    } else {
        Err(Failure::from(format!("The core's graph names {}.", intruders.join(", "))))
    }
}

/// Those test files that say they need the browser's half; all others have just run without it.
fn view_tests() -> Result<Counts, Failure> {
    let mut command = cargo(&["test", "--no-fail-fast", "--lib", "--bin", "playground"]);
    command.args(ALL_BUT_DEV);
    for path in files_below(&root().join("tests"), ".rs") {
        let text = fs::read_to_string(&path).unwrap_or_default();
        if path.parent().is_some_and(|folder| folder.ends_with("tests"))
            && ["feature = \"ui\"", "feature = \"chart\""].iter().any(|needs| text.contains(needs))
        {
            command.arg("--test").arg(path.file_stem().unwrap_or_default());
        }
    }
    run(&mut command)
}

/// Every recorded trace must agree with the model, but for those that `tests/golden/differing.tsv` names with
/// the cause. One of those that agrees now must leave the list: the count of exceptions only falls. What agrees
/// and what does not stands in `docs/fidelity.md`, line by line.
fn traces() -> Result<Counts, Failure> {
    let golden = root().join("tests").join("golden");
    let listed = fs::read_to_string(golden.join("differing.tsv")).unwrap_or_default();
    let differing: Vec<&str> = listed.lines().filter_map(|line| line.split('\t').next()).collect();
    run(&mut headless(&["--help"]))?;
    let mut counts = Counts::default();
    let mut tables = Tables::default();
    for trace in files_below(&golden.join("traces"), ".jsonl.gz") {
        let name = trace_name(&trace);
        let output = headless(&["--rows", "--against"]).arg(&trace).output();
        let output = output.map_err(|it| it.to_string())?;
        let told = String::from_utf8_lossy(&output.stdout);
        tables.take(&told);
        println!("    {name}: {}", told.lines().last().unwrap_or("nothing said"));
        let (agrees, is_listed) = (output.status.success(), differing.contains(&name.as_str()));
        if agrees != is_listed {
            counts.passed += 1;
            continue;
        }
        counts.failed += 1;
        match agrees {
            true => println!("    {name} agrees now: take it out of tests/golden/differing.tsv"),
            false => println!("{told}"),
        }
    }
    match counts.failed {
        0 => tables.settle().map(|()| counts),
        failed => Err(format!("{failed} traces are not as tests/golden/differing.tsv says").into()),
    }
}

/// `4.2.0/s01_happy-1`.
fn trace_name(trace: &Path) -> String {
    let file = trace.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    let version = trace.parent().and_then(Path::file_name);
    let version = version.map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    format!("{version}/{}", file.trim_end_matches(".jsonl.gz"))
}

fn page() -> Result<Counts, Failure> {
    let tools = Tools::ensure()?;
    let counts = run(tools.command("trunk").args(["build", "--release", "--offline"]))?;
    tell_bytes(&root().join("dist"))?;
    Ok(counts)
}

/// Writes into index.html how many bytes the module has: hosts send it compressed, and then a page that shows
/// how much has come cannot know how much there is. Without it the page shows only what has come.
fn tell_bytes(dist: &Path) -> Result<(), Failure> {
    let index = dist.join("index.html");
    let html = fs::read_to_string(&index).map_err(|it| it.to_string())?;
    let named = html.split_once("data-wasm=\"").and_then(|(_, rest)| rest.split_once('"'));
    let (name, _) = named.ok_or_else(|| "dist/index.html names no module.".to_owned())?;
    let bytes = fs::metadata(dist.join(name)).map_err(|it| format!("{name}: {it}"))?.len();
    let with = format!("data-bytes=\"{bytes}\" data-wasm=\"");
    fs::write(&index, html.replacen("data-wasm=\"", &with, 1)).map_err(|it| it.to_string())?;
    Ok(())
}

fn sizes(arguments: &[&str]) -> Command {
    let mut command = node(&["tests/browser/sizes.mjs"]);
    command.args(arguments);
    command
}

/// `tests/wasm.rs` runs natively with all other tests, and here once more under Node: each of its tests is
/// `#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]` and
/// `#[cfg_attr(not(target_arch = "wasm32"), test)]`, and compares with the same digests.
fn wasm() -> Result<Counts, Failure> {
    if !root().join("tests").join("wasm.rs").exists() {
        println!("    there is no tests/wasm.rs");
        return Ok(Counts::default());
    }
    let tools = Tools::ensure()?;
    let runner = tools
        .find("wasm-bindgen-test-runner")
        .ok_or_else(|| "wasm-bindgen-cli came without its test runner.".to_owned())?;
    let mut command = cargo(&["test", "--no-default-features", "--test", "wasm", "--target", WASM]);
    run(command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner))
}

fn browser() -> Result<Counts, Failure> {
    ensure_node()?;
    ensure_chromium()?;
    ensure_packages()?;
    if !root().join("dist").join("index.html").exists() {
        page()?;
    }
    run(&mut node(&["tests/browser/run.mjs"]))
}

/// The native runner as people use it: optimised.
fn headless(arguments: &[&str]) -> Command {
    let mut command = cargo(&[
        "run",
        "--release",
        "--no-default-features",
        "--features",
        "cli",
        "--bin",
        "headless",
        "--",
    ]);
    command.args(arguments);
    command
}

/// All files below a folder whose names end so, in a fixed order.
fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() && !path.ends_with("node_modules") {
                open.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
