//! What every component is given: the language it speaks, and the one way to say that something was
//! done.

use std::ops::Deref;
use std::rc::Rc;

use yew::prelude::*;

use crate::app::action::Action;
use crate::text::bar::BarWord;
use crate::text::page::{PageText, PageWord};
use crate::text::{Language, Text};

#[derive(Clone, PartialEq)]
pub struct Ui {
    pub language: Language,
    pub on: Callback<Action>,
}

impl Ui {
    pub fn word(&self, word: PageWord) -> AttrValue {
        AttrValue::Static(word.say(self.language))
    }

    pub fn bar(&self, word: BarWord) -> AttrValue {
        AttrValue::Static(word.say(self.language))
    }

    pub fn page(&self, text: &PageText) -> AttrValue {
        AttrValue::from(text.say(self.language))
    }

    pub fn say(&self, text: &Text) -> AttrValue {
        AttrValue::from(crate::text::say(self.language, text))
    }

    /// A callback that reports this action.
    pub fn act<E>(&self, action: Action) -> Callback<E> {
        self.on.reform(move |_: E| action.clone())
    }
}

/// Shared data of which only the identity is compared: it is replaced whenever it changes.
#[derive(Debug)]
pub struct Shared<T>(pub Rc<T>);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Shared<T> {
        Shared(self.0.clone())
    }
}

impl<T> PartialEq for Shared<T> {
    fn eq(&self, other: &Shared<T>) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> From<Rc<T>> for Shared<T> {
    fn from(shared: Rc<T>) -> Shared<T> {
        Shared(shared)
    }
}

/// RocketMQ's long names may break before a capital, and after a dot or an underscore.
pub fn breakable(name: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for sign in name.chars() {
        if (sign.is_ascii_uppercase() && before.is_ascii_lowercase()) || matches!(before, '.' | '_')
        {
            out.push('\u{200b}');
        }
        out.push(sign);
        before = sign;
    }
    out
}
