//! `requestAnimationFrame`, or in still mode a tick each half second, as actions.

use gloo_render::{AnimationFrame, request_animation_frame};
use gloo_timers::callback::Interval;

use crate::app::action::Action;
use crate::app::player::{Drive, STILL_TICK_MS};

/// Dropping it, or driving with nothing, ends the loop.
#[derive(Default)]
pub struct FrameLoop {
    drive: Drive,
    frame: Option<AnimationFrame>,
    ticks: Option<Interval>,
    /// The time stamp of the last frame, ms.
    last_ms: Option<f64>,
}

impl FrameLoop {
    /// Sees to it that the next frame or tick comes. Called after each action.
    pub fn keep(&mut self, drive: Drive, report: impl Fn(Action) + Clone + 'static) {
        if drive != self.drive {
            *self = FrameLoop { drive, ..FrameLoop::default() };
        }
        match drive {
            Drive::Nothing => {}
            Drive::Ticks if self.ticks.is_none() => {
                let tick = move || report(Action::Ticked);
                self.ticks = Some(Interval::new(STILL_TICK_MS as u32, tick));
            }
            Drive::Frames if self.frame.is_none() => {
                let frame = move |now_ms| report(Action::FramePassed(now_ms));
                self.frame = Some(request_animation_frame(frame));
            }
            Drive::Ticks | Drive::Frames => {}
        }
    }

    /// A frame has come: the wall time since the last one, ms. The next one must be asked for.
    pub fn frame_came(&mut self, now_ms: f64) -> f64 {
        self.frame = None;
        let last_ms = self.last_ms.replace(now_ms);
        last_ms.map_or(0.0, |last_ms| (now_ms - last_ms).max(0.0))
    }
}
