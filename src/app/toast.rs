//! Short notices. Each stays until its time is over or it is closed.

/// A notice; the words are said in the language of the moment it came up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toast {
    pub id: u32,
    pub sentence: String,
}

/// At most a few at once; an older one makes room.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Toasts {
    shown: Vec<Toast>,
    next: u32,
}

const AT_MOST: usize = 3;

impl Toasts {
    /// Shows it and says by which number it goes.
    pub fn show(&mut self, sentence: String) -> u32 {
        self.next += 1;
        self.shown.retain(|toast| toast.sentence != sentence);
        self.shown.push(Toast { id: self.next, sentence });
        if self.shown.len() > AT_MOST {
            self.shown.remove(0);
        }
        self.next
    }

    pub fn close(&mut self, id: u32) {
        self.shown.retain(|toast| toast.id != id);
    }

    pub fn shown(&self) -> &[Toast] {
        &self.shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_notice_is_not_shown_twice_and_a_fourth_makes_room() {
        let mut toasts = Toasts::default();
        for sentence in ["a", "a", "b", "c", "d"] {
            toasts.show(sentence.to_owned());
        }
        let sentences: Vec<&str> = toasts.shown().iter().map(|it| it.sentence.as_str()).collect();
        assert_eq!(sentences, ["b", "c", "d"]);
    }
}
