//! What a preset is there to tell, the page says by itself: at its telling moment the inspector and the
//! phone's sentences name the cause, without the walkthrough's captions.

use rocketmq_playground::model::ids::{
    BrokerName, ProcessIndex, ProcessQueueId, QueueId, TopicName,
};
use rocketmq_playground::model::message_queue::MessageQueue;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::recording::{Recording, Start};
use rocketmq_playground::scenario::presets;
use rocketmq_playground::scene::film::Film;
use rocketmq_playground::scene::follow;
use rocketmq_playground::scene::inspect::{Inspection, SourceRow};
use rocketmq_playground::scene::mark::MarkId;
use rocketmq_playground::scene::of_world::Gaze;
use rocketmq_playground::scene::scene::Scene;
use rocketmq_playground::sim::TaskBudget;
use rocketmq_playground::text::Language::{self, En, ZhCn};

/// A preset at one moment.
struct Moment {
    recording: Recording,
    film: Film,
    story: f64,
    now: Millis,
}

impl Moment {
    fn of(preset: &str, ms: u64) -> Moment {
        let scenario = presets::by_name(preset).expect("it is in the list");
        let mut recording = Recording::new(Start::from(&scenario), Vec::new());
        recording.extend_until(scenario.until, TaskBudget::UNLIMITED);
        let mut film = Film::new();
        film.follow(&recording);
        let story = film.story_at(&recording, Millis(ms));
        let now = film.now(&recording, story);
        Moment { recording, film, story, now }
    }

    fn scene(&mut self, followed: Option<&MarkId>) -> std::rc::Rc<Scene> {
        let gaze = Gaze { group: None, followed: followed.cloned() };
        self.film.scene(&self.recording, self.story, &gaze)
    }

    fn inspected(&mut self, mark: &MarkId) -> Inspection {
        let gaze = Gaze { group: None, followed: Some(mark.clone()) };
        self.film.inspect(&self.recording, self.story, &gaze, mark)
    }

    fn message(&mut self, label: &str) -> MarkId {
        let scene = self.scene(None);
        let card = scene.cards().find(|card| &*card.label == label);
        MarkId::Message(card.expect("it is on the stage").unique_key)
    }

    fn why(&mut self, mark: &MarkId, language: Language) -> String {
        self.inspected(mark).why.map_or(String::new(), |why| why.say(language))
    }

    fn next(&mut self, mark: &MarkId, language: Language) -> Vec<String> {
        self.inspected(mark).next.iter().map(|next| next.say(language)).collect()
    }

    /// The window of a consumer for a queue.
    fn shelf(&mut self, process: ProcessIndex, of: &MessageQueue) -> MarkId {
        let scene = self.scene(None);
        let consumer = scene.consumer(process).expect("it is on the stage");
        let shelf = consumer.shelves.iter().find(|it| it.queue == *of && !it.is_dropped);
        let process_queue: ProcessQueueId = shelf.expect("it has the queue").process_queue;
        MarkId::Shelf { process, process_queue }
    }

    /// The phone's sentences on a queue.
    fn phone(&mut self, queue: &MessageQueue, language: Language) -> String {
        let scene = self.scene(None);
        let queue = follow::queues(&scene).find(|it| it.queue == *queue).expect("it is shown");
        let said = follow::why(&scene, queue, self.now);
        said.iter().map(|it| it.say(language).into_owned()).collect::<Vec<_>>().join(" ")
    }

    /// The phone's sentence on a message.
    fn phone_followed(&mut self, message: &MarkId, language: Language) -> String {
        let scene = self.scene(Some(message));
        let (said, _) = follow::followed(&scene).expect("it is followed");
        said.say(language).into_owned()
    }
}

fn queue(id: u32) -> MessageQueue {
    MessageQueue::new(TopicName::new("orders"), BrokerName::new("broker-a"), QueueId(id))
}

fn has(words: &str, wanted: &[&str]) {
    for part in wanted {
        assert!(words.contains(part), "{part:?} is not in {words:?}");
    }
}

#[test]
fn two_with_one_client_id_leave_a_share_to_nobody_for_good() {
    let mut at = Moment::of("same-client-id", 40_000);
    let q2 = MarkId::Queue(queue(2));
    let ends = "The other share stays unread until one gets its own id.";
    has(&at.why(&q2, En), &["c1 and c1′ have the same client id, 10.0.0.1@1", ends]);
    has(&at.why(&q2, ZhCn), &["c1 和 c1′ 的客户端 ID 都是 10.0.0.1@1", "换掉一个 ID 才会好"]);
    has(
        &at.phone(&queue(2), En),
        &["have the same client id, 10.0.0.1@1", "until one gets its own id"],
    );
    has(&at.phone(&queue(2), ZhCn), &["客户端 ID 都是 10.0.0.1@1", "换掉一个 ID 才会好"]);
    let next = at.next(&q2, En);
    assert!(next.iter().all(|it| it.starts_with("c1")), "a producer has no share: {next:?}");
    // With a name of its own the other half is read.
    let mut at = Moment::of("same-client-id", 80_000);
    has(&at.phone(&queue(2), En), &["C "]);
}

#[test]
fn a_delayed_message_waits_for_its_master_to_run_again() {
    let mut at = Moment::of("master-down", 100_000);
    let m4 = at.message("m4");
    let wanted = "m4 waits at delay level 3, due at T+00:34.006; but only a master hands delayed messages \
                  on: it stays until broker-a runs again";
    assert_eq!(at.next(&m4, En), [wanted]);
    has(&at.next(&m4, ZhCn)[0], &["到期时间 T+00:34.006", "要等 broker-a 重新启动"]);
    has(&at.phone_followed(&m4, En), &["m4 stays at delay level 3 until broker-a runs again"]);
    has(&at.phone_followed(&m4, ZhCn), &["m4 留在延迟级别 3，等 broker-a 重新启动"]);
    // m4 is one of those before 15, and it has failed.
    has(&at.phone(&queue(0), En), &["All before offset 15 are done or sent back"]);
    has(&at.phone(&queue(0), ZhCn), &["位点 15 之前的都已完成或发回"]);
}

#[test]
fn a_frozen_one_was_taken_off_the_group_and_still_marks_its_queue() {
    let mut at = Moment::of("frozen-listener", 160_085);
    let marks = "c1 is frozen and still marks q0 as its own, and will go on with it at 3:10.300, when it is no longer frozen.";
    for mark in [MarkId::Lock(queue(0)), MarkId::Queue(queue(0))] {
        let heard = "The broker heard nothing of c1 for more than 2 min (channelExpiredTimeout)";
        let left = "took it off the group at 2:40.000";
        has(&at.why(&mark, En), &[heard, left, "c2's since 2:40.079", marks]);
        has(
            &at.why(&mark, ZhCn),
            &["channelExpiredTimeout", "在 2:40.000 把它移出消费者组", "仍标记 q0 归自己"],
        );
    }
    has(
        &at.phone(&queue(0), En),
        &["c1 is frozen and still marks it as locked here", "the lock is c2's"],
    );
    has(&at.phone(&queue(0), ZhCn), &["冻结中的 c1 本地仍标记为已加锁", "锁归 c2"]);
    // Before that the lock is nobody else's.
    let mut at = Moment::of("frozen-listener", 60_000);
    has(&at.phone(&queue(0), En), &["It is assigned to c1, which is frozen."]);
}

#[test]
fn a_lock_is_free_before_anybody_asks_for_it() {
    let mut at = Moment::of("minute-of-silence", 85_100);
    let lock = "It ends at 1:41.001, but c1 asks again only at 1:45.020.";
    has(&at.why(&MarkId::Lock(queue(1)), En), &[lock]);
    has(&at.why(&MarkId::Lock(queue(1)), ZhCn), &["1:41.001 到期", "c1 要到 1:45.020 才再次请求"]);
    let why = at.why(&MarkId::Queue(queue(1)), En);
    has(
        &why,
        &["until 1:41.001 its lock is held by c2", "asks for the lock again only at 1:45.020."],
    );
    has(&at.phone(&queue(1), En), &["ends at 1:41.001, but c1 asks again only at 1:45.020."]);
    has(&at.phone(&queue(1), ZhCn), &["1:41.001 到期，而 c1 要到 1:45.020 才再次请求"]);
    // An earlier attempt is refused for certain, and is not the one that counts.
    let mut early = Moment::of("minute-of-silence", 50_000);
    let why = early.why(&MarkId::Queue(queue(1)), En);
    has(&why, &["until 1:41.001 its lock is held by c2", "asks for the lock again at 1:05"]);
    has(&early.phone(&queue(1), En), &["The lock is still c2's for 51.0 s"]);
    // The broker learns of a killed one by its connection, not by a heartbeat.
    let told = at.inspected(&MarkId::Consumer(ProcessIndex(1))).source;
    assert!(
        told.contains(&SourceRow::Class("ClientHousekeepingService.onChannelClose")),
        "{told:?}"
    );
    assert!(!told.iter().any(|row| matches!(row, SourceRow::Code { .. })), "{told:?}");
}

#[test]
fn what_cannot_be_sent_back_is_tried_again_in_the_client() {
    let mut at = Moment::of("send-back-fails", 18_900);
    let shelf = at.shelf(ProcessIndex(0), &queue(0));
    let m3 = at.message("m3");
    let then = "If it fails, it cannot be sent back while broker-a is down: c1 keeps it and tries it again after 5 s.";
    has(&at.why(&shelf, En), &["m3, tried for the 3rd time", then]);
    has(&at.why(&m3, En), &["called the listener with it, for the 3rd time", then]);
    has(
        &at.why(&m3, ZhCn),
        &["处理它（第 3 次）", "broker-a 不在，发不回去：c1 留着它，5 秒后本地重试"],
    );
    let next = at.next(&shelf, En).join("; ");
    has(
        &next,
        &[
            "the listener of c1 is working on m3 (q0·3) and returns at T+00:19.019",
            "c1 tries to report its offsets at T+00:20.000",
        ],
    );
    has(&at.phone_followed(&m3, En), &["m3 runs on c1, the 3rd try"]);
    has(&at.phone_followed(&m3, ZhCn), &["第 3 次消费"]);
    let scene = at.scene(None);
    let q0 = follow::queues(&scene).find(|it| it.queue == queue(0)).expect("it is shown");
    let unreported = q0.unreported.as_ref().expect("C is not with the broker");
    assert_eq!(unreported.due_at, None, "nobody takes the report");
}

#[test]
fn in_order_the_same_message_comes_again_without_end() {
    let mut at = Moment::of("suspend", 33_400);
    let shelf = at.shelf(ProcessIndex(0), &queue(0));
    let m5 = at.message("m5");
    let then = "If it fails, q0 rests for 1 s (suspendCurrentQueueTimeMillis) and the same message comes \
                again, without limit: in orderly consumption maxReconsumeTimes has none by default.";
    has(&at.why(&shelf, En), &["m5, tried for the 4th time", then]);
    has(&at.why(&m5, En), &["for the 4th time", then]);
    has(&at.why(&m5, ZhCn), &["处理它（第 4 次）", "再来的还是这条消息", "次数没有上限"]);
    has(
        &at.phone(&queue(0), En),
        &["m5 is tried for the 4th time", "the same message comes again"],
    );
    has(&at.phone(&queue(0), ZhCn), &["m5 已是第 4 次消费"]);
    has(&at.phone_followed(&m5, En), &["m5 runs on c1, the 4th try"]);
    // m5 is out of msgTreeMap while the thread has it, so the map begins at 6.
    let told = at.inspected(&shelf);
    let number = |name: &str| {
        let found = told.numbers.iter().find(|row| row.field.say(En) == name);
        found.expect("it is among the numbers").value.say(En, Millis(33_400)).to_string()
    };
    assert_eq!(number("smallest in msgTreeMap"), "6");
    assert_eq!(number("consumingMsgOrderlyTreeMap"), "5");
    let journey = at.inspected(&m5).journey;
    let failed: Vec<String> = journey.iter().map(|row| row.text.say(En)).collect();
    has(&failed.join("; "), &["c1 failed (SUSPEND_CURRENT_QUEUE_A_MOMENT)"]);
}

#[test]
fn an_offset_on_the_shelf_is_not_read_as_a_count() {
    let mut at = Moment::of("suspend", 30_100);
    let shelf = at.shelf(ProcessIndex(0), &queue(0));
    let cause = at.inspected(&shelf).cause.expect("it was put there");
    assert_eq!(cause.told.sentence(En), "c1: q0 offset 5 is on the shelf");
    assert_eq!(cause.told.sentence(ZhCn), "c1：q0 位点 5 放入本地队列");
}

#[test]
fn a_slow_start_says_how_far_it_is() {
    let mut at = Moment::of("slow-start", 7_000);
    let scene = at.scene(None);
    let c1 = MarkId::Consumer(scene.consumers[0].process);
    has(
        &at.why(&c1, En),
        &["The rebalance asks for C queue by queue: 4", "of 1001 are answered, 5"],
    );
    has(&at.why(&c1, ZhCn), &["1001 个中已问完 4"]);
    let next = at.next(&c1, En).join("; ");
    has(
        &next,
        &["request 14 QUERY_CONSUMER_OFFSET, usually one round trip; it gives up at T+00:1"],
    );
}
