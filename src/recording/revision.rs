//! `Revision<T>`: a value with its earlier and undone versions.

/// Versions of a value, one of them current. A new one makes those after it unreachable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision<T> {
    versions: Vec<T>,
    current: usize,
}

impl<T> Revision<T> {
    pub fn new(first: T) -> Revision<T> {
        Revision { versions: vec![first], current: 0 }
    }

    pub fn current(&self) -> &T {
        &self.versions[self.current]
    }

    /// Puts a version before the first one, where that is current: undo leads there.
    pub fn precede(&mut self, version: T) {
        assert_eq!(self.current, 0, "only the first version has none before it");
        self.versions.insert(0, version);
        self.current = 1;
    }

    pub fn commit(&mut self, version: T) {
        self.versions.truncate(self.current + 1);
        self.versions.push(version);
        self.current += 1;
    }

    pub fn can_undo(&self) -> bool {
        self.current > 0
    }

    pub fn can_redo(&self) -> bool {
        self.current + 1 < self.versions.len()
    }

    /// One version back, if there is one.
    pub fn undo(&mut self) -> bool {
        let can = self.can_undo();
        self.current -= usize::from(can);
        can
    }

    /// One version forward, if there is one.
    pub fn redo(&mut self) -> bool {
        let can = self.can_redo();
        self.current += usize::from(can);
        can
    }
}

#[cfg(test)]
mod tests {
    use super::Revision;

    #[test]
    fn undo_and_redo_walk_and_a_new_version_cuts_off_the_undone_ones() {
        let mut revision = Revision::new(0);
        assert!(!revision.undo() && !revision.redo());
        revision.commit(1);
        revision.commit(2);
        assert!(revision.undo() && revision.undo() && !revision.undo());
        assert!(revision.redo());
        assert_eq!(*revision.current(), 1);
        revision.commit(3);
        assert!(!revision.can_redo());
        assert!(revision.undo());
        assert_eq!(*revision.current(), 1);
    }

    #[test]
    fn what_precedes_the_first_version_is_reached_by_undo_and_left_by_redo() {
        let mut revision = Revision::new(2);
        revision.precede(1);
        assert_eq!(*revision.current(), 2);
        assert!(revision.undo());
        assert_eq!(*revision.current(), 1);
        assert!(revision.redo());
        assert_eq!(*revision.current(), 2);
    }
}
