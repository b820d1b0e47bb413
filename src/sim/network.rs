//! The network: latency, loss, partition. One link for each ordered pair of machines.

use std::collections::BTreeMap;

use serde::Serialize;

use super::packet::{Machine, RequestCode};
use crate::model::time::Millis;

/// What is special about one direction between two machines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Link {
    /// Lowest and highest one-way latency; `None`: the run's default.
    pub latency: Option<(Millis, Millis)>,
    pub is_cut: bool,
    /// Requests of a code still to be lost; with `only_response` the request arrives and its answer
    /// is lost.
    pub to_drop: Vec<DropRule>,
    /// TCP keeps order: nothing arrives before what was sent earlier.
    pub last_arrival: Millis,
    /// ... nor, within one millisecond, is it taken up earlier (shuffled tie-break).
    pub last_priority: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DropRule {
    pub code: RequestCode,
    pub left: u32,
    pub only_response: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Network {
    pub default_latency: Millis,
    pub links: BTreeMap<(Machine, Machine), Link>,
}

impl Network {
    pub fn new(default_latency: Millis) -> Network {
        Network { default_latency, links: BTreeMap::new() }
    }

    pub fn link_mut(&mut self, from: Machine, to: Machine) -> &mut Link {
        self.links.entry((from, to)).or_default()
    }

    pub fn is_cut(&self, from: Machine, to: Machine) -> bool {
        self.links.get(&(from, to)).is_some_and(|link| link.is_cut)
    }

    /// Whether a request of `code` is to be lost now; counts it off.
    pub fn drops_request(&mut self, from: Machine, to: Machine, code: RequestCode) -> bool {
        self.count_off(from, to, code, false)
    }

    /// Whether the answer to a request of `code` (sent from `asker` to `asked`) is to be lost now.
    pub fn drops_response(&mut self, asker: Machine, asked: Machine, code: RequestCode) -> bool {
        self.count_off(asker, asked, code, true)
    }

    fn count_off(&mut self, from: Machine, to: Machine, code: RequestCode, response: bool) -> bool {
        let Some(link) = self.links.get_mut(&(from, to)) else { return false };
        let Some(rule) = link
            .to_drop
            .iter_mut()
            .find(|rule| rule.code == code && rule.only_response == response && rule.left > 0)
        else {
            return false;
        };
        rule.left -= 1;
        link.to_drop.retain(|rule| rule.left > 0);
        true
    }
}
