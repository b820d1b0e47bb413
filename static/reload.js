// Only under `trunk serve`: loads the page again after each build. Replaces the script that trunk would
// put inside the HTML, which our security policy does not allow.

const address = new URL(".well-known/trunk/ws", document.baseURI);
address.protocol = address.protocol === "https:" ? "wss:" : "ws:";

function listen(afterLoss) {
  const socket = new WebSocket(address);
  socket.onopen = () => afterLoss && location.reload();
  socket.onclose = () => setTimeout(listen, 5_000, true);
  socket.onmessage = ({ data }) => {
    const { type, data: detail } = JSON.parse(data);
    if (type === "reload") location.reload();
    if (type === "buildFailure") console.error(`The build failed.\n${detail.reason}`);
  };
}

listen(false);
