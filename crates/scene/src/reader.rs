//! Reading tables, noting everything that is not as described.

use glamx::{DVec2, DVec3};
use toml::de::{DeTable, DeValue};

use super::error::Log;
use super::format;
use super::node::Node;
use super::spec::{Form, Key, Plain, Spec, Way};
use super::suggest::{hint, one_of};

/// What reads something from a table.
pub(crate) type Read<T> = fn(&Fields) -> Option<T>;

/// A table of the file that was checked against its description. Readers answer `None` for what
/// is absent, and for what is wrong, after noting why.
#[derive(Debug, Clone)]
pub(crate) struct Fields<'a> {
    table: &'a DeTable<'a>,
    spec: &'static Spec,
    /// How messages call it: `[material.oak]`, `body "block"`.
    pub(crate) label: String,
    /// Byte of the text.
    pub(crate) at: usize,
    pub(crate) log: &'a Log,
}

impl<'a> Fields<'a> {
    /// Checks the keys of a table.
    pub(crate) fn new(
        table: &'a DeTable<'a>,
        spec: &'static Spec,
        label: impl Into<String>,
        at: usize,
        log: &'a Log,
    ) -> Fields<'a> {
        let fields = Fields { table, spec, label: label.into(), at, log };
        fields.refuse_unknown(spec.all().map(|key| key.name));
        for key in spec.all().filter(|key| key.required && !fields.has(key.name)) {
            let (label, form) = (&fields.label, key.form.describe());
            log.add(at, format!("{label} has no \"{}\"; expected {form}", key.name));
        }
        fields
    }

    /// A table of whose keys nothing is known.
    pub(crate) fn unchecked(
        table: &'a DeTable<'a>,
        label: impl Into<String>,
        at: usize,
        log: &'a Log,
    ) -> Fields<'a> {
        static ANY: Spec = format::table("Any", "a table", &[]);
        Fields { table, spec: &ANY, label: label.into(), at, log }
    }

    /// Notes keys that are not among those known.
    pub(crate) fn refuse_unknown<'k>(&self, known: impl IntoIterator<Item = &'k str>) {
        let known: Vec<&str> = known.into_iter().collect();
        for key in self.table.keys() {
            let name: &str = key.get_ref();
            if !known.contains(&name) {
                let hint = hint(name, known.iter().copied());
                let message = format!("unknown key \"{name}\" in {}{hint}", self.label);
                self.log.add(key.span().start, message);
            }
        }
    }

    /// Whether the table has a key.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.entry(key).is_some()
    }

    fn entry(&self, key: &str) -> Option<(usize, &'a DeValue<'a>, usize)> {
        let (k, v) = self.table.iter().find(|(k, _)| k.get_ref() == key)?;
        Some((k.span().start, v.get_ref(), v.span().start))
    }

    /// Notes a problem with a key, or with the whole table where it lacks the key.
    pub(crate) fn complain(&self, key: &str, message: impl Into<String>) {
        self.log.add(self.place(key), message);
    }

    /// The same, where nothing comes of it.
    pub(crate) fn refuse<T>(&self, key: &str, message: impl Into<String>) -> Option<T> {
        self.complain(key, message);
        None
    }

    /// Where a key's value is; where the table is, if it lacks the key.
    pub(crate) fn place(&self, key: &str) -> usize {
        self.entry(key).map_or(self.at, |(_, _, at)| at)
    }

    /// The value of a key.
    pub(crate) fn node(&self, key: &str) -> Option<Node<'a>> {
        let (_, value, at) = self.entry(key)?;
        Some(Node { value, what: format!("\"{key}\" in {}", self.label), at, log: self.log })
    }

    /// The value of a key and its description.
    fn described(&self, key: &str) -> Option<(Node<'a>, &'static Form)> {
        Some((self.node(key)?, &self.spec.key(key)?.form))
    }

    /// A number.
    pub(crate) fn number(&self, key: &str) -> Option<f64> {
        let (node, form) = self.described(key)?;
        node.number(form.range())
    }

    /// A whole number.
    pub(crate) fn whole(&self, key: &str) -> Option<usize> {
        let (node, form) = self.described(key)?;
        let Form::Plain(Plain::Whole(least, most)) = form else { return None };
        node.whole(*least, *most).or_else(|| node.expected(&form.describe()))
    }

    /// So many whole numbers.
    pub(crate) fn wholes<const N: usize>(&self, key: &str) -> Option<[usize; N]> {
        let (node, form) = self.described(key)?;
        let Form::Wholes(_, most) = form else { return None };
        let items = node.items().unwrap_or_default();
        let numbers: Option<Vec<usize>> = items.iter().map(|item| item.whole(1, *most)).collect();
        numbers.and_then(|n| n.try_into().ok()).or_else(|| node.expected(&form.describe()))
    }

    /// A string.
    pub(crate) fn text(&self, key: &str) -> Option<&'a str> {
        self.node(key)?.text()
    }

    /// True or false.
    pub(crate) fn flag(&self, key: &str) -> Option<bool> {
        let (node, form) = self.described(key)?;
        node.value.as_bool().or_else(|| node.expected(&form.describe()))
    }

    /// One of the words that the description lists.
    pub(crate) fn choice(&self, key: &str) -> Option<&'static str> {
        let (node, form) = self.described(key)?;
        if node.is_text() { node.word(form.words()?) } else { node.expected(&form.describe()) }
    }

    /// What one of some words stands for; the description has their names.
    pub(crate) fn pick<T: Copy>(&self, key: &str, list: &[(&'static str, T)]) -> Option<T> {
        let word = self.choice(key)?;
        list.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
    }

    /// Three numbers.
    pub(crate) fn vector(&self, key: &str) -> Option<DVec3> {
        let (node, form) = self.described(key)?;
        node.numbers(form.range()).map(DVec3::from_array)
    }

    /// Two numbers.
    pub(crate) fn pair(&self, key: &str) -> Option<DVec2> {
        let (node, form) = self.described(key)?;
        node.numbers(form.range()).map(DVec2::from_array)
    }

    /// A direction: three numbers, not all zero; made a unit vector.
    pub(crate) fn direction(&self, key: &str) -> Option<DVec3> {
        self.node(key)?.direction()
    }

    /// A table.
    pub(crate) fn table(&self, key: &str) -> Option<Fields<'a>> {
        self.table_called(key, &format!("\"{key}\" of {}", self.label))
    }

    /// A table that messages call by a name of its own.
    pub(crate) fn table_called(&self, key: &str, label: &str) -> Option<Fields<'a>> {
        let (node, form) = self.described(key)?;
        node.table(form.table()?, label)
    }

    /// An array of values.
    pub(crate) fn list(&self, key: &str) -> Vec<Node<'a>> {
        self.node(key).and_then(|node| node.list()).unwrap_or_default()
    }

    /// An array of tables. Each is called by its name or its number.
    pub(crate) fn tables(&self, key: &str) -> Vec<Fields<'a>> {
        let Some((_, form)) = self.described(key) else { return Vec::new() };
        let Some(spec) = form.table() else { return Vec::new() };
        let called = |(i, node): (usize, Node<'a>)| {
            let name = node.value.as_table().and_then(|t| t.get("name"));
            let label = match name.and_then(|n| n.get_ref().as_str()) {
                Some(name) => format!("{key} \"{name}\""),
                None => format!("{key} number {}", i + 1),
            };
            node.table(spec, &label)
        };
        self.list(key).into_iter().enumerate().filter_map(called).collect()
    }

    /// Tables by their names, in the order of the file.
    pub(crate) fn named(&self, key: &str) -> Vec<(&'a str, Fields<'a>)> {
        let Some((node, form)) = self.described(key) else { return Vec::new() };
        let Some(spec) = form.table() else { return Vec::new() };
        let Some(table) = node.value.as_table() else {
            node.expected::<()>(&form.describe());
            return Vec::new();
        };
        let one = |(name, value): (&'a toml::Spanned<_>, &'a toml::Spanned<DeValue<'a>>)| {
            let name: &'a toml::Spanned<std::borrow::Cow<'a, str>> = name;
            let text: &'a str = name.get_ref();
            let label = format!("[{key}.{text}]");
            let inner = Node {
                value: value.get_ref(),
                what: label.clone(),
                at: name.span().start,
                log: self.log,
            };
            inner.table(spec, &label).map(|fields| (text, fields))
        };
        table.iter().filter_map(one).collect()
    }

    /// What the one key stands for that is there of those of which there must be one.
    pub(crate) fn way<T: Copy>(&self, ways: &[Way<T>]) -> Option<T> {
        let name = self.alternative()?;
        ways.iter().find(|way| way.key.name == name).map(|way| way.then)
    }

    /// The one key that is there of those of which there must be one.
    pub(crate) fn alternative(&self) -> Option<&'static str> {
        let found: Vec<&'static Key> =
            self.spec.one_of.iter().filter(|key| self.has(key.name)).collect();
        let message = match found.as_slice() {
            [key] => return Some(key.name),
            // An unknown key was probably meant to be the one; that is noted already.
            [] if self.table.keys().any(|k| self.spec.key(k.get_ref()).is_none()) => return None,
            [] => {
                format!("{} has none of {}; expected one", self.label, one_of(&self.spec.ways()))
            }
            several => {
                let names: Vec<String> =
                    several.iter().map(|key| format!("\"{}\"", key.name)).collect();
                format!("{} has {}; expected only one of them", self.label, names.join(" and "))
            }
        };
        self.log.add(self.at, message);
        None
    }
}
