//! From files to elements: sizes checked, includes put in place.

use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::element::Element;
use crate::error::{Error, ErrorKind, Place, Result};
use crate::limits;

/// What is left of the limits while files are read.
struct Loader {
    /// Folder of the first file; `None` for a text without a file.
    folder: Option<PathBuf>,
    included: HashSet<PathBuf>,
    bytes: u64,
    elements: usize,
}

/// The root of a model file, includes in place.
pub(crate) fn load_file(path: &Path) -> Result<Element> {
    let mut loader = Loader::new(Some(path.parent().map(Path::to_path_buf).unwrap_or_default()));
    let text = loader.read(path)?;
    loader.included.insert(identity(path));
    loader.parse(&text, &path.display().to_string(), path.parent(), 0)
}

/// The root of a model text; it cannot include anything.
pub(crate) fn load_text(text: &str) -> Result<Element> {
    let mut loader = Loader::new(None);
    loader.spend(text.len() as u64, "<text>")?;
    loader.parse(text, "<text>", None, 0)
}

/// Two spellings of the same file are the same file.
fn identity(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

impl Loader {
    fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, included: HashSet::new(), bytes: limits::BYTES, elements: limits::ELEMENTS }
    }

    fn spend(&mut self, bytes: u64, file: &str) -> Result<()> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or_else(|| {
            Error::new(ErrorKind::Limit, None, file, format!("the model's files exceed {} bytes", limits::BYTES))
                .remedy("split the model, or remove what is not needed")
        })?;
        Ok(())
    }

    fn read(&mut self, path: &Path) -> Result<String> {
        let name = path.display().to_string();
        let trouble = |error: std::io::Error| {
            Error::new(ErrorKind::File, None, &name, error.to_string()).remedy("give a readable MJCF file")
        };
        let file = std::fs::File::open(path).map_err(trouble)?;
        if !file.metadata().map_err(trouble)?.is_file() {
            return Err(
                Error::new(ErrorKind::File, None, &name, "not a regular file").remedy("give a readable MJCF file")
            );
        }
        let mut bytes = Vec::new();
        // One byte more than allowed tells that the file is too long, whatever its size claims.
        file.take(self.bytes + 1).read_to_end(&mut bytes).map_err(trouble)?;
        self.spend(bytes.len() as u64, &name)?;
        String::from_utf8(bytes)
            .map_err(|_| Error::new(ErrorKind::Syntax, None, &name, "not UTF-8 text").remedy("save it as UTF-8"))
    }

    fn parse(&mut self, text: &str, file: &str, folder: Option<&Path>, depth: usize) -> Result<Element> {
        let file: Arc<str> = file.into();
        // The limit counts nodes: elements, text between them, comments.
        let options = roxmltree::ParsingOptions { nodes_limit: 4 * limits::ELEMENTS as u32, ..Default::default() };
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        check_attributes(text, &file)?;
        let document = roxmltree::Document::parse_with_options(text, options).map_err(|error| {
            let place = Place { file: file.clone(), line: error.pos().row as usize };
            let kind = match error {
                roxmltree::Error::NodesLimitReached => ErrorKind::Limit,
                _ => ErrorKind::Syntax,
            };
            Error::new(kind, Some(place), "XML", error.to_string()).remedy("correct the XML")
        })?;
        let lines: Vec<usize> = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i).collect();
        self.convert(document.root_element(), &file, &lines, folder, depth)
    }

    fn convert(
        &mut self,
        node: roxmltree::Node<'_, '_>,
        file: &Arc<str>,
        lines: &[usize],
        folder: Option<&Path>,
        depth: usize,
    ) -> Result<Element> {
        let start = node.range().start;
        let place = Place { file: file.clone(), line: lines.partition_point(|newline| *newline < start) + 1 };
        let attributes = node.attributes().map(|a| (a.name().to_owned(), a.value().to_owned())).collect();
        let mut element = Element { tag: node.tag_name().name().to_owned(), place, attributes, children: Vec::new() };
        let limit = |message: String| {
            Error::new(ErrorKind::Limit, Some(element.place.clone()), &element.label(), message)
                .remedy("make the model smaller")
        };
        if depth > limits::DEPTH {
            return Err(limit(format!("more than {} elements inside each other", limits::DEPTH)));
        }
        self.elements =
            self.elements.checked_sub(1).ok_or_else(|| limit(format!("more than {} elements", limits::ELEMENTS)))?;
        for child in node.children().filter(roxmltree::Node::is_element) {
            let child = self.convert(child, file, lines, folder, depth + 1)?;
            if child.tag == "include" {
                element.children.append(&mut self.include(&child, folder, depth)?);
            } else {
                element.children.push(child);
            }
        }
        Ok(element)
    }

    /// The children of the included file's root.
    fn include(&mut self, include: &Element, folder: Option<&Path>, depth: usize) -> Result<Vec<Element>> {
        include.allow(&[&["file"]])?;
        include.childless()?;
        let name = include.required("file")?.to_owned();
        let (Some(main), Some(folder)) = (self.folder.clone(), folder) else {
            return Err(include
                .invalid("a text without a file cannot include files")
                .remedy("read the model from a file"));
        };
        // The first file's folder comes first, then the folder of the file that includes.
        let path = [main.join(&name), folder.join(&name)].into_iter().find(|path| path.is_file());
        let Some(path) = path else {
            return Err(include.invalid(format!("file \"{name}\" not found")).remedy("correct the path"));
        };
        if !self.included.insert(identity(&path)) {
            return Err(include.invalid(format!("file \"{name}\" is included twice")).remedy("include a file once"));
        }
        if self.included.len() > limits::FILES {
            return Err(include.invalid(format!("more than {} files", limits::FILES)).remedy("include fewer files"));
        }
        let text = self.read(&path)?;
        let root = self.parse(&text, &path.display().to_string(), path.parent(), depth)?;
        Ok(root.children)
    }
}

/// The parser compares the attributes of an element with each other; an element with a million of them would keep it for hours.
fn check_attributes(text: &str, file: &Arc<str>) -> Result<()> {
    let mut line = 1;
    for tag in text.split('<') {
        if !tag.starts_with("!--") && tag.bytes().filter(|b| *b == b'=').count() > limits::ATTRIBUTES {
            let place = Place { file: file.clone(), line };
            let message = format!("more than {} attributes in an element", limits::ATTRIBUTES);
            return Err(Error::new(ErrorKind::Limit, Some(place), "XML", message).remedy("remove what is not MJCF"));
        }
        line += tag.bytes().filter(|b| *b == b'\n').count();
    }
    Ok(())
}
