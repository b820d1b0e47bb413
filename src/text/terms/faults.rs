//! Words for faults and acts, in both languages.

use super::Entry;

pub const CRASH: Entry = Entry {
    is_starred: false,
    class: Some("kill -9"),
    word: ["crash", "杀进程"],
    what_it_is: [
        "The process dies at once and its memory is lost; its connections close, so the broker notices.",
        "进程突然没了，内存全丢；连接随之断开，Broker 马上发现。",
    ],
    first_use: ["dies at once, reports nothing", "突然退出，来不及上报"],
    spellings: [&["crash", "crashes", "crashed", "killed"], &["杀进程", "被杀"]],
};

pub const LOSE_HOST: Entry = Entry {
    is_starred: false,
    class: None,
    word: ["lose the host", "主机断电"],
    what_it_is: [
        "The whole machine vanishes and no connection is closed; the broker notices after about 2 min.",
        "整台机器消失，连接没有关闭；Broker 约 2 分钟后才发现。",
    ],
    first_use: ["noticed only after about 2 min", "约 2 分钟后才被发现"],
    spellings: [&["lose the host", "loses its host"], &["主机断电"]],
};

pub const STOP: Entry = Entry {
    is_starred: false,
    class: Some("shutdown()"),
    word: ["stop", "正常停止"],
    what_it_is: [
        "The consumer gives back locks, reports its offsets, signs off, and only then ends.",
        "消费者先释放锁、上报位点、注销，然后才退出。",
    ],
    first_use: ["reports and signs off before it ends", "先上报、注销，再退出"],
    spellings: [&["stop", "stops", "stopped"], &["正常停止"]],
};

pub const FREEZE: Entry = Entry {
    is_starred: false,
    class: None,
    word: ["freeze", "冻结"],
    what_it_is: [
        "The process stands still with open connections, as in a long JVM pause, and goes on later.",
        "进程停住但连接还在，像 JVM 长时间停顿，之后接着跑。",
    ],
    first_use: ["stands still, connections open", "停住不动，连接还在"],
    spellings: [&["freeze", "freezes", "frozen"], &["冻结"]],
};

pub const KILL_BROKER: Entry = Entry {
    is_starred: false,
    class: None,
    word: ["kill the broker", "杀 Broker 进程"],
    what_it_is: [
        "The broker dies: locks, held pulls, up to 5 s of offsets and perhaps the newest messages are lost.",
        "Broker 突然没了：锁、挂起的拉取、近 5 秒的位点会丢，最新消息也可能丢。",
    ],
    first_use: ["what was only in memory is lost", "只在内存里的都丢了"],
    spellings: [&["kill the broker", "broker is killed"], &["杀 Broker 进程"]],
};

pub const CUT: Entry = Entry {
    is_starred: false,
    class: None,
    word: ["cut the network", "断网"],
    what_it_is: [
        "Nothing passes between two machines, or only one way; both go on running.",
        "两台机器之间不通，或只通一个方向；双方都还在运行。",
    ],
    first_use: ["nothing passes between the two", "两边互相不通"],
    spellings: [&["cut the network", "network is cut"], &["断网"]],
};

pub const EXPIRE_HEAD: Entry = Entry {
    is_starred: false,
    class: Some("fileReservedTime"),
    word: ["delete the oldest", "过期删除"],
    what_it_is: [
        "The broker deletes a queue's oldest messages, as it does with files that are too old.",
        "Broker 删掉队列里最早的消息，如同文件过期被清理。",
    ],
    first_use: ["the oldest messages are deleted", "最早的消息被清理"],
    spellings: [&["delete the oldest"], &["过期删除"]],
};

pub const RESET_OFFSET: Entry = Entry {
    is_starred: false,
    class: Some("resetOffsetByTime"),
    word: ["reset offsets", "重置消费位点"],
    what_it_is: [
        "An operator moves C to a moment; messages come again, or are skipped.",
        "运维把 C 移到某个时刻；消息会重来，或被跳过。",
    ],
    first_use: ["an operator moves C", "运维人员移动 C"],
    spellings: [&["reset offsets", "resets offsets"], &["重置消费位点"]],
};
