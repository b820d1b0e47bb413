//! Our own mistake: the page says so in words and keeps the address of the run, which is a complete
//! report. Written with the document alone, since nothing else can be relied on any more.

use std::panic::PanicHookInfo;

const SENTENCES: [(&str, &str); 2] = [
    (
        "en",
        "The playground has made a mistake of its own and cannot go on. The address below holds the \
         run up to here; reloading the page opens it again. What went wrong: ",
    ),
    (
        "zh-Hans",
        "演练场自身出错,无法继续。下面的地址保存了到此为止的运行,重新加载页面即可再次打开。错误信息:",
    ),
];

pub fn install() {
    std::panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        show(info);
    }));
}

fn show(info: &PanicHookInfo<'_>) {
    let Some(document) = web_sys::window().and_then(|window| window.document()) else { return };
    let Some(body) = document.body() else { return };
    body.set_text_content(None);
    let address = document.location().and_then(|it| it.href().ok()).unwrap_or_default();
    let append = |tag: &str, lang: Option<&str>, words: &str| {
        let Ok(element) = document.create_element(tag) else { return };
        element.set_text_content(Some(words));
        if let Some(lang) = lang {
            let _ = element.set_attribute("lang", lang);
        }
        let _ = body.append_child(&element);
    };
    append("h1", None, "RocketMQ Playground");
    for (lang, sentence) in SENTENCES {
        append("p", Some(lang), sentence);
    }
    append("pre", None, &info.to_string());
    append("pre", None, &address);
}
