//! What the tests of the built page need besides the page: Node, an installed Chromium, fonts for Chinese, and
//! the packages of `tests/browser/package-lock.json`.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::process::{output, program, root, run};

/// The oldest Node that the tests' packages support.
const NODE_MAJOR: u32 = 20;

/// How the package managers of Linux systems install Chromium and fonts for Chinese. None of them asks.
const PACKAGE_MANAGERS: [(&str, &[&str], &[&str]); 4] = [
    (
        "apt-get",
        &["install", "-y", "--no-install-recommends"],
        &["chromium", "fonts-liberation", "fonts-noto-cjk"],
    ),
    ("dnf", &["install", "-y"], &["chromium", "google-noto-sans-cjk-fonts"]),
    ("zypper", &["--non-interactive", "install"], &["chromium", "google-noto-sans-cjk-fonts"]),
    ("pacman", &["-S", "--noconfirm", "--needed"], &["chromium", "noto-fonts-cjk"]),
];

/// `node`, started in the project's root.
pub fn node(arguments: &[&str]) -> Command {
    let mut command = program(Path::new("node"));
    command.args(arguments);
    command
}

/// Node is a prerequisite: we look, and never install it.
pub fn ensure_node() -> Result<(), String> {
    let version = output(&mut node(&["--version"]));
    let major = version
        .as_deref()
        .and_then(|version| version.strip_prefix('v')?.split('.').next()?.parse::<u32>().ok());
    match (major, version) {
        (Some(NODE_MAJOR..), Some(version)) => {
            println!("    node {version}: on the PATH");
            Ok(())
        }
        (_, found) => Err(format!(
            "The tests of the page need Node {NODE_MAJOR} or newer on the PATH; found: {}.",
            found.as_deref().unwrap_or("none")
        )),
    }
}

/// Finds a Chromium and fonts for Chinese, or has the system's package manager install them.
pub fn ensure_chromium() -> Result<(), String> {
    if let Some(named) = env::var_os("CHROMIUM").filter(|named| !Path::new(named).exists()) {
        return Err(format!(
            "The environment variable CHROMIUM names {}, which is not there.",
            named.display()
        ));
    }
    let is_complete = || find_chromium().filter(|_| has_chinese_fonts());
    if is_complete().is_none() {
        println!("    Chromium or fonts for Chinese: missing");
        install_by_package_manager();
    }
    if let Some(path) = find_chromium() {
        println!("    Chromium: {path}");
        if !has_chinese_fonts() {
            println!(
                "    No fonts for Chinese: pictures will show boxes. Noto Sans CJK is a good one."
            );
        }
        return Ok(());
    }
    let how = match env::consts::OS {
        "windows" => "`winget install --id Google.Chrome` (or Microsoft Edge)",
        "macos" => "`brew install --cask google-chrome`",
        _ => "the packages chromium and fonts-noto-cjk (so they are called in Debian)",
    };
    Err(format!(
        "The tests of the page need Chromium, Chrome or Edge. Install {how}, or name one in the environment \
         variable CHROMIUM."
    ))
}

/// The places to look at are known to the tests themselves.
fn find_chromium() -> Option<String> {
    output(&mut node(&["tests/browser/chromium.mjs"])).filter(|path| !path.is_empty())
}

/// Only Linux systems come without; where there is no `fc-list`, we don't know and go on.
fn has_chinese_fonts() -> bool {
    env::consts::OS != "linux"
        || output(program(Path::new("fc-list")).args([":lang=zh", "family"]))
            .is_none_or(|list| !list.is_empty())
}

/// As root, or by a `sudo` that does not ask. Whether it worked is for the caller to see.
fn install_by_package_manager() {
    let is_root = output(program(Path::new("id")).arg("-u")).is_some_and(|id| id == "0");
    let may_sudo = !is_root && output(program(Path::new("sudo")).args(["-n", "true"])).is_some();
    if !is_root && !may_sudo {
        return;
    }
    let as_root = |name: &str, arguments: &[&str]| {
        let mut command = program(Path::new(if is_root { name } else { "sudo" }));
        if !is_root {
            command.args(["-n", name]);
        }
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    let is_there = |name: &str| output(program(Path::new(name)).arg("--version")).is_some();
    let Some((name, install, packages)) =
        PACKAGE_MANAGERS.into_iter().find(|(name, ..)| is_there(name))
    else {
        return;
    };
    if name == "apt-get" {
        run(&mut as_root(name, &["update", "-q"])).ok();
    }
    run(&mut as_root(name, &[install, packages].concat())).ok();
}

/// Installs exactly what the lock file says, unless that was done already.
pub fn ensure_packages() -> Result<(), String> {
    let folder = root().join("tests").join("browser");
    let lock = fs::read_to_string(folder.join("package-lock.json"))
        .map_err(|problem| format!("package-lock.json: {problem}"))?;
    let installed = folder.join("node_modules").join(".installed-lock");
    if fs::read_to_string(&installed).is_ok_and(|installed| installed == lock) {
        println!("    npm packages: as in the lock file");
        return Ok(());
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut command = program(Path::new(npm));
    command.args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"]).current_dir(&folder);
    run(&mut command)
        .map_err(|failure| format!("{}\nIs there a way to the npm registry?", failure.advice))?;
    fs::write(&installed, lock).map_err(|problem| format!("{}: {problem}", installed.display()))
}
