//! What the build of the page needs besides Rust itself: the Wasm target, trunk, and wasm-bindgen in exactly
//! the version of `Cargo.lock`. Each is taken from the PATH or from the user's cache when the right version is
//! there, and installed into the cache otherwise.

use std::env::{self, consts::EXE_SUFFIX};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{cargo, output, program, root, run};

pub const WASM: &str = "wasm32-unknown-unknown";

/// The last version that builds with our Rust.
const TRUNK_VERSION: &str = "0.21.14";

/// A program that comes as a crate.
struct Tool {
    package: &'static str,
    executable: &'static str,
    version: String,
    /// Options of `cargo install`, besides the version.
    options: &'static [&'static str],
    /// Built once and run on small inputs, so that it should compile fast rather than run fast.
    opt_level: &'static str,
    /// Time of the installation on two cores.
    takes: &'static str,
}

/// The folders of the tools, to be put in front of the PATH of whatever builds the page.
pub struct Tools {
    folders: Vec<PathBuf>,
}

impl Tools {
    /// Finds or installs all of them.
    pub fn ensure() -> Result<Self, String> {
        ensure_wasm_target()?;
        let folders =
            [trunk(), wasm_bindgen()?].iter().map(Tool::ensure).collect::<Result<_, _>>()?;
        Ok(Self { folders })
    }

    /// One of the tools, ready to be started in the project's root.
    pub fn command(&self, executable: &str) -> Command {
        let path = self.find(executable).unwrap_or_else(|| executable.into());
        let mut command = program(&path);
        command.env("PATH", path_with(&self.folders));
        if env::var_os("NO_COLOR").is_some() {
            command.env("NO_COLOR", "true"); // trunk refuses the usual "1"
        }
        command
    }

    /// Where an executable of one of the tools is.
    pub fn find(&self, executable: &str) -> Option<PathBuf> {
        let name = format!("{executable}{EXE_SUFFIX}");
        self.folders.iter().map(|folder| folder.join(&name)).find(|path| path.exists())
    }
}

/// The PATH with some folders in front.
fn path_with(folders: &[PathBuf]) -> OsString {
    let old = env::var_os("PATH").unwrap_or_default();
    env::join_paths(folders.iter().cloned().chain(env::split_paths(&old))).unwrap_or(old)
}

fn trunk() -> Tool {
    Tool {
        package: "trunk",
        executable: "trunk",
        version: TRUNK_VERSION.to_owned(),
        options: &["--no-default-features"], // without TLS: we never let it download, and it compiles in half the time
        opt_level: "0",
        takes: "3 minutes",
    }
}

fn wasm_bindgen() -> Result<Tool, String> {
    Ok(Tool {
        package: "wasm-bindgen-cli",
        executable: "wasm-bindgen",
        version: locked_version("wasm-bindgen")?,
        options: &[],
        opt_level: "1", // it rewrites the whole module at each build
        takes: "3 minutes",
    })
}

impl Tool {
    /// The folder that holds this tool in the right version.
    fn ensure(&self) -> Result<PathBuf, String> {
        let home = tools_folder()?.join(format!("{}-{}", self.package, self.version));
        let cached = home.join("bin");
        let on_path =
            env::split_paths(&env::var_os("PATH").unwrap_or_default()).collect::<Vec<_>>();
        for folder in std::iter::once(&cached).chain(&on_path) {
            if self.is_in(folder) {
                println!("    {} {}: in {}", self.executable, self.version, folder.display());
                return Ok(folder.clone());
            }
        }
        println!(
            "    {} {}: missing; it takes about {} to build, once",
            self.package, self.version, self.takes
        );
        self.install(&home)?;
        if self.is_in(&cached) {
            Ok(cached)
        } else {
            Err(format!("{} does not start from {}.", self.executable, cached.display()))
        }
    }

    fn is_in(&self, folder: &Path) -> bool {
        let path = folder.join(format!("{}{EXE_SUFFIX}", self.executable));
        let says = path.exists().then(|| output(program(&path).arg("--version"))).flatten();
        says.is_some_and(|says| says.split_whitespace().any(|word| word == self.version))
    }

    /// With the crate's own lock file and, where that names something that is not served, without.
    fn install(&self, home: &Path) -> Result<(), String> {
        let target = home.join("target"); // so that an interrupted installation goes on where it was
        let attempt = |lock: &[&str]| {
            let mut command = cargo(&["install", self.package, "--version", &self.version]);
            command
                .args(lock)
                .args(self.options)
                .arg("--root")
                .arg(home)
                .arg("--target-dir")
                .arg(&target)
                .env("PATH", path_with(&[home.join("bin")])) // or cargo advises to change it
                .env("CARGO_RESOLVER_INCOMPATIBLE_RUST_VERSIONS", "fallback")
                .env("CARGO_PROFILE_RELEASE_LTO", "off")
                .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", self.opt_level)
                .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "256");
            run(&mut command)
        };
        attempt(&["--locked"]).or_else(|_| attempt(&[])).map_err(|failure| {
            format!(
                "{}\n{} {} could not be installed. Is there a way to the crate registry?",
                failure.advice, self.package, self.version
            )
        })?;
        fs::remove_dir_all(&target).ok(); // only saves space
        Ok(())
    }
}

/// Adds the Wasm target to the toolchain in use, if it is not there.
fn ensure_wasm_target() -> Result<(), String> {
    let sysroot = output(program(Path::new("rustc")).args(["--print", "sysroot"]))
        .ok_or("rustc does not start. Is Rust installed?")?;
    if Path::new(&sysroot).join("lib/rustlib").join(WASM).exists() {
        println!("    target {WASM}: in the toolchain");
        return Ok(());
    }
    println!("    target {WASM}: missing");
    run(program(Path::new("rustup")).args(["target", "add", WASM])).map(|_| ()).map_err(|failure| {
        format!("{}\nThe page needs Rust's target {WASM}: `rustup target add {WASM}`, or your system's package for it.", failure.advice)
    })
}

/// The version of a package in our `Cargo.lock`.
fn locked_version(package: &str) -> Result<String, String> {
    let path = root().join("Cargo.lock");
    let lock =
        fs::read_to_string(&path).map_err(|problem| format!("{}: {problem}", path.display()))?;
    let mut lines = lock.lines().skip_while(|line| *line != format!("name = \"{package}\""));
    lines
        .nth(1)
        .and_then(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
        .map(str::to_owned)
        .ok_or_else(|| format!("Cargo.lock names no {package}."))
}

/// The per-user folder for tools; it outlives any clone of the project.
fn tools_folder() -> Result<PathBuf, String> {
    let variable =
        |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(folder) = variable("RMQ_PLAYGROUND_TOOLS") {
        return std::path::absolute(&folder)
            .map_err(|problem| format!("RMQ_PLAYGROUND_TOOLS: {problem}"));
    }
    let cache = match env::consts::OS {
        "windows" => variable("LOCALAPPDATA"),
        "macos" => variable("HOME").map(|home| home.join("Library/Caches")),
        _ => variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache"))),
    };
    cache.map(|cache| cache.join("rocketmq-playground").join("tools")).ok_or_else(|| {
        "There is no cache folder: set RMQ_PLAYGROUND_TOOLS to a folder for tools.".to_owned()
    })
}
