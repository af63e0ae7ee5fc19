//! The room `collision`: against MuJoCo 3.10.0 on poses and scenes, the worked examples, capacity, and properties.

mod capacity;
mod poses;
mod properties;
mod scenes;
mod setting;
mod worked;
