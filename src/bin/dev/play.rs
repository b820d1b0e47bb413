//! `cargo play`: from a fresh clone to the page in the browser.

use std::net::TcpListener;
use std::time::Instant;

use crate::process::lasted;
use crate::rust_tools::Tools;

/// How to play.
pub struct Options {
    pub port: u16,
    pub opens_browser: bool,
    pub is_debug: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { port: 8080, opens_browser: true, is_debug: false }
    }
}

/// Serves the page until the person presses Ctrl+C; trunk builds it again whenever a file changes.
pub fn play(options: &Options) -> Result<(), String> {
    let port = options.port;
    TcpListener::bind(("127.0.0.1", port)).map_err(|problem| {
        format!(
            "127.0.0.1:{port} can't be served ({problem}). Try another: cargo play --port {}",
            port.wrapping_add(1)
        )
    })?;

    println!("[1/2] tools for the page");
    let started = Instant::now();
    let tools = Tools::ensure()?;
    println!("      done in {}", lasted(started.elapsed()));

    println!(
        "[2/2] building and serving http://127.0.0.1:{port}/ (a first build takes two or three minutes; Ctrl+C ends it)"
    );
    let mut trunk = tools.command("trunk");
    trunk.args(["serve", "--offline", "--address", "127.0.0.1", "--port"]).arg(port.to_string());
    if !options.is_debug {
        trunk.arg("--release");
    }
    if options.opens_browser {
        trunk.arg("--open");
    }
    let status = trunk.status().map_err(|problem| format!("Could not start trunk: {problem}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("trunk ended with {status}. What it said stands above."))
    }
}
