pub mod model;
pub mod oracle;
pub mod scene;
pub mod text;
