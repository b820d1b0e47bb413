pub mod model;
pub mod scene;
pub mod text;
