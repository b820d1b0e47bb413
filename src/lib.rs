pub mod model;
pub mod oracle;
pub mod scenario;
pub mod scene;
pub mod sim;
pub mod text;
#[cfg(feature = "ui")]
pub mod view;
