//! What each term is: one table for each group, both languages side by side in one row, so that a
//! missing half does not compile. Which terms there are, and how they are asked for: `super::term`.

use super::Language;

pub mod checks;
pub mod faults;
pub mod modes;
pub mod moving;
pub mod numbers;
pub mod places;
pub mod readers;
pub mod requests;
pub mod states;
pub mod waits;

/// A sentence or word in English and in Chinese.
pub type Both = [&'static str; 2];

/// All that is said about one term. Numbers in its examples are samples.
pub struct Entry {
    /// Whether a first walkthrough needs it.
    pub is_starred: bool,
    /// What it is called in RocketMQ's source: class, field, constant or command.
    pub class: Option<&'static str>,
    /// As it stands on the stage.
    pub word: Both,
    /// One sentence: at most 24 words, in Chinese 40 characters.
    pub what_it_is: Both,
    /// Half a sentence that follows the word in brackets: at most 9 words, 16 characters.
    pub first_use: Both,
    /// By which words it is recognised in a sentence, the likeliest first.
    pub spellings: [&'static [&'static str]; 2],
}

/// The half of a row that is in this language.
pub const fn half(language: Language) -> usize {
    match language {
        Language::En => 0,
        Language::ZhCn => 1,
    }
}
