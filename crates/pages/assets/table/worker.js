// Keeps the page of the table at hand: from the network while there is one, from what was kept when there is none.
const SHELF = "glacis-table-1";
self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
const keeps = (address) => address.origin === location.origin && (address.pathname === "/table" || address.pathname.startsWith("/assets/") || address.pathname.startsWith("/table/units/"));
self.addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  if (event.request.method !== "GET" || !keeps(address)) return;
  event.respondWith((async () => {
    const shelf = await caches.open(SHELF);
    try {
      const fresh = await fetch(event.request);
      if (fresh.ok) await shelf.put(event.request, fresh.clone());
      return fresh;
    } catch {
      return (await shelf.match(event.request, { ignoreSearch: address.pathname === "/table", ignoreVary: true })) ?? Response.error();
    }
  })());
});
self.addEventListener("message", (event) => event.waitUntil((async () => {
  await (await caches.open(SHELF)).addAll(event.data);
  event.source?.postMessage("kept");
})()));
