//! `[[differs]]`: what another release does otherwise in this run.

use super::fields::Fields;
use super::node::Node;
use super::read::{PROFILES, words};
use super::read_mark::{happening, profiles};
use crate::model::limits;
use crate::scenario::Words;
use crate::scenario::differ::{Differs, Shows};

pub fn differs(fields: &mut Fields<'_>) -> Vec<Differs> {
    let sink = fields.sink;
    let one = |(index, node): (usize, &Node)| {
        let mut fields = Fields::of(node, format!("differs {}", index + 1), sink);
        let from = profiles(&mut fields, "from").unwrap_or_default();
        let to = profiles(&mut fields, "to").unwrap_or_default();
        for (key, releases) in [("from", &from), ("to", &to)] {
            if releases.is_empty() && fields.node(key).is_none() {
                fields.missing(key, "releases, such as [\"V42\", \"V49\"]");
            }
        }
        let says = Some(words(&mut fields, "says")).filter(|says| *says != Words::default());
        let longest =
            says.iter().flat_map(|says| [&says.en, &says.zh]).map(|it| it.chars().count());
        if let (Some(length @ limits::CAPTION..), Some(node)) = (longest.max(), fields.node("says"))
        {
            let allowed = format!("at most {} characters", limits::CAPTION);
            fields.problem("says", node.at, &format!("{length} characters"), &allowed);
        }
        let tables = fields.tables("shows");
        let shows = tables.iter().enumerate().filter_map(|(at, node)| {
            let mut fields =
                Fields::of(node, format!("differs {}, shows {}", index + 1, at + 1), sink);
            let release = fields.word("release", PROFILES);
            if release.is_none() && fields.node("release").is_none() {
                fields.missing("release", "\"V42\", \"V49\" or \"V53\"");
            }
            let (happening, at) = (happening(&mut fields), fields.time("at"));
            if happening.is_none() && fields.node("event").is_none() {
                fields.missing("event", "the name of an event");
            }
            fields.close();
            Some(Shows { release: release?, happening: happening?, at })
        });
        let shows = shows.collect();
        fields.close();
        Differs { from, to, says, shows }
    };
    fields.tables("differs").iter().enumerate().map(one).collect()
}
