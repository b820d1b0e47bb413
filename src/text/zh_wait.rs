//! 谁在等什么，等到何时，简体中文。

use super::Language::ZhCn;
use super::event::EventText;
use super::format::clock;
use super::wait::{WaitFor, WaitText};
use super::zh_event::put_off;

#[expect(clippy::too_many_lines, reason = "一句一行的表")]
pub fn say(text: &WaitText) -> String {
    use WaitFor as W;
    let who = text.who.say(ZhCn);
    let due = clock(text.due);
    match &text.what {
        W::Delay { label, failures: 0, level } => {
            format!("{label} 是延迟消息：{who} 让它在延迟级别 {level} 等到 {due}")
        }
        W::Delay { label, failures, level } => {
            format!("{label} 失败 {failures} 次：{who} 让它在延迟级别 {level} 等到 {due}")
        }
        W::DelayAtDownBroker { label, level } => {
            format!(
                "{label} 在延迟级别 {level}，到期时间 {due}；但只有主节点投递延迟消息，要等 {who} 重新启动"
            )
        }
        W::LevelLook { level } => format!("{who} 在 {due} 再次检查延迟级别 {level}"),
        W::Listener { label, place } => {
            format!("{who} 的监听器正在处理 {label}（{place}），{due} 返回")
        }
        W::ListenerEnd => format!("{who} 等待监听器结束，到 {due}"),
        W::ReportOffsets => format!("{who} 在 {due} 上报消费位点，在此之前 C 不动"),
        W::ReportOffsetsInVain => {
            format!("{who} 在 {due} 尝试上报消费位点；没有 Broker 在运行，报不上去")
        }
        W::Rebalance => format!("{who} 在 {due} 再次重平衡"),
        W::FirstPull => format!("{who} 在 {due} 开始拉取新分到的队列"),
        W::PutOff { queue, why } => {
            let queue = queue.as_ref().map_or(String::new(), |queue| format!(" {queue}"));
            format!("{who} 在 {due} 重新拉取{queue}：{}", put_off(*why))
        }
        W::PullInterval => format!("{who} 在 {due} 再次拉取（pullInterval）"),
        W::HeldPulls => format!("{who} 在 {due} 检查挂起的拉取请求"),
        W::LocalRetry { label } => format!("{label} 发不回 Broker：{who} 在 {due} 本地重试"),
        W::Suspended { queue: Some(queue) } => {
            format!("{queue} 暂停到 {due}，然后 {who} 再次消费同一条消息")
        }
        W::Suspended { queue: None } => format!("{who} 在 {due} 再次消费同一条消息"),
        W::RenewLocks => format!("{who} 在 {due} 为锁续期"),
        W::LockLater => format!("{who} 在 {due} 再次请求加锁"),
        W::UnlockLater => format!("{who} 在 {due} 释放锁"),
        W::ConsumeLock => format!("{who} 等待正在运行的监听器，最多到 {due}"),
        W::Answer { code } => {
            format!(
                "{who} 等待请求码 {} {} 的应答，通常只需一个往返；到 {due} 才超时",
                code.number, code.name
            )
        }
        W::Heartbeat => format!("{who} 在 {due} 发送下一次心跳"),
        W::Routes => format!("{who} 在 {due} 再次查询路由"),
        W::RegisterBroker => format!("{who} 在 {due} 再次向 NameServer 注册"),
        W::SilentClients => format!("{who} 在 {due} 检查没有心跳的客户端"),
        W::SilentConnection => format!("若一直没有通信，{who} 在 {due} 关闭连接"),
        W::SilentBrokers => format!("{who} 在 {due} 检查没有心跳的 Broker"),
        W::CopyMaster => format!("{who} 在 {due} 同步主节点的位点"),
        W::SaveOffsets => format!("{who} 在 {due} 写入 consumerOffset.json"),
        W::SaveDelays => format!("{who} 在 {due} 写入 delayOffset.json"),
        W::Dispatch => format!("{who} 在 {due} 构建 ConsumeQueue"),
        W::SlowStore => format!("{who} 存储缓慢：消息在 {due} 写入"),
        W::RepairOffset => format!("{who} 在 {due} 修正非法位点"),
        W::ResetOffset => format!("{who} 在 {due} 按重置后的位点继续"),
        W::CleanExpired => format!("{who} 在 {due} 检查超过 consumeTimeout 的消息"),
        W::NextSend { label: Some(label) } => {
            format!("{due} 之前没有别的事，届时 {who} 发送 {label}")
        }
        W::NextSend { label: None } => format!("{due} 之前没有别的事，届时 {who} 发送下一条消息"),
        W::StartUp => format!("{who} 正在启动线程，到 {due}"),
        W::Resume => format!("{who} 冻结到 {due}"),
        W::ThreadPool => format!("{who} 在 {due} 检查线程池"),
        W::Packet { code: Some(code) } => {
            format!("请求码 {} {} 正在送往 {who}，{due} 到达", code.number, code.name)
        }
        W::Packet { code: None } => format!("数据包正在送往 {who}，{due} 到达"),
        W::Command { what: Some(what) } => {
            let what = EventText::Asked(what.clone());
            format!("{due} 之前没有别的事，届时{who}：{}", what.say(ZhCn))
        }
        W::Command { what: None } => format!("{due} 之前没有别的事"),
        W::Nothing => format!("{due} 之前只有心跳和没有新消息的拉取"),
    }
}
