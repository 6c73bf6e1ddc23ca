//! Connections: a bounded number, each with a limit on how long it may take to say what it wants,
//! and a clean end.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rulebook::Asking;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;
use tower_service::Service;

use super::places::Places;
use super::wire::Wire;
use super::{Each, Forget, Hall, Hosts, Manners, Server, Workshop, expiry, files, guard, limits, router};
use crate::System;
use crate::store::{Place as Database, Store, StoreFault};

/// The most connections at once.
const MOST_CONNECTIONS: usize = 16_384;
/// How long a client may take to send the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// How long an answer may stand still because the client does not read it.
const STANDSTILL: Duration = Duration::from_secs(30);
/// How long requests under way may take once the server is to stop.
const LAST_CALL: Duration = Duration::from_secs(10);
/// The most listeners to one game.
const MOST_LISTENERS: usize = 256;

/// Why the server could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartFault {
    /// Another program has the port.
    #[error("the port {0} is in use by another program")]
    PortInUse(SocketAddr),
    /// The address cannot be listened on.
    #[error("the address {address} cannot be listened on: {detail}")]
    Address {
        /// The address.
        address: SocketAddr,
        /// Why.
        detail: String,
    },
    /// The system has no threads to give.
    #[error("the system gives no threads: {0}")]
    Threads(String),
    /// The store cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreFault),
}

/// What the server is started with.
pub struct Start {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Where the games are kept.
    pub database: Database,
    /// The address that players use, if it is another.
    pub base_url: Option<String>,
    /// What one address may do.
    pub each: Each,
    /// When games are forgotten.
    pub forget: Forget,
    /// Whether a proxy in front names the client.
    pub behind_proxy: bool,
    /// The systems that can be shown, asked and played.
    pub systems: Vec<System>,
    /// The questions that can be asked.
    pub questions: Vec<Asking>,
}

/// A server that runs.
pub struct Running {
    /// The address it listens on.
    pub address: SocketAddr,
    /// The address that players use.
    pub base_url: String,
    hall: Arc<Hall>,
    stop: watch::Sender<bool>,
    accepting: JoinHandle<()>,
    connections: Arc<Semaphore>,
    most: usize,
}

impl Running {
    /// Stops: no new connections, the streams end, orders under way are written, the database is
    /// closed.
    pub async fn stop(self) {
        let _ = self.stop.send(true);
        let _ = self.accepting.await;
        let all = u32::try_from(self.most).unwrap_or(u32::MAX);
        let _ = tokio::time::timeout(LAST_CALL, self.connections.acquire_many(all)).await;
        self.hall.store().close().await;
    }
}

/// Starts the server.
///
/// # Errors
/// When the port, the folder or the database cannot be used.
pub async fn start(start: Start) -> Result<Running, StartFault> {
    let listener = TcpListener::bind(start.listen).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => StartFault::PortInUse(start.listen),
        _ => StartFault::Address { address: start.listen, detail: error.to_string() },
    })?;
    let address = listener.local_addr().unwrap_or(start.listen);
    let store = Store::open(&start.database).await?;
    let threads = |error: std::io::Error| StartFault::Threads(error.to_string());
    let readers = Workshop::for_readers().map_err(threads)?;
    let games = Workshop::for_games().map_err(threads)?;
    let minds = Workshop::for_minds().map_err(threads)?;
    let hosted = start.systems.iter().filter_map(|system| Some(system.game.as_ref()?.hosting)).collect();
    let shown = start.systems.iter().map(|system| system.shown).collect();
    let hall = Hall::open(hosted, store, readers, games, minds);
    expiry::start(&hall, start.forget).await;
    let hosts = match &start.base_url {
        Some(_) => Hosts::Named,
        None if address.ip().is_loopback() => Hosts::Own,
        None => Hosts::Any,
    };
    let base_url = start.base_url.unwrap_or_else(|| format!("http://{address}"));
    let base_url = base_url.trim_end_matches('/').to_owned();
    let manners = Manners {
        base_url: base_url.clone(),
        hosts,
        each: start.each,
        behind_proxy: start.behind_proxy,
        most_listeners: MOST_LISTENERS,
    };
    let (stop, stopping) = watch::channel(false);
    let server = Server::new(hall.clone(), shown, start.questions, manners, stopping.clone());
    follow(&server).await?;
    server.tables.recall(hall.store()).await?;
    let most = files::most_connections(MOST_CONNECTIONS);
    let connections = Arc::new(Semaphore::new(most));
    // Behind a proxy all connections are the proxy's own.
    let each = start.each.connections.filter(|_| !start.behind_proxy).unwrap_or(usize::MAX);
    let accepting = tokio::spawn(accept(
        listener,
        House { router: router(&server), server },
        stopping,
        connections.clone(),
        Places::new(each, usize::MAX),
    ));
    Ok(Running { address, base_url, hall, stop, accepting, connections, most })
}

/// Tells whoever listens here of what other processes do to the same games and tables.
async fn follow(server: &Arc<Server>) -> Result<(), StoreFault> {
    let Some(mut changes) = server.hall.store().changes().await? else { return Ok(()) };
    let server = Arc::downgrade(server);
    tokio::spawn(async move {
        while let Some(change) = changes.recv().await {
            let Some(server) = server.upgrade() else { return };
            server.hall.clone().changed(&change);
            tokio::spawn(async move { server.tables.heard(server.hall.store(), &change).await });
        }
    });
    Ok(())
}

/// What every connection leads to.
#[derive(Clone)]
struct House {
    router: axum::Router,
    server: Arc<Server>,
}

async fn accept(
    listener: TcpListener,
    house: House,
    mut stopping: watch::Receiver<bool>,
    connections: Arc<Semaphore>,
    places: Arc<Places<IpAddr>>,
) {
    loop {
        let Ok(permit) = connections.clone().acquire_owned().await else { return };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stopping.wait_for(|stopping| *stopping) => return,
        };
        match accepted {
            Ok((stream, peer)) => match places.take(limits::network(peer.ip())) {
                Ok(place) => {
                    let connection = serve(stream, peer, house.clone(), stopping.clone());
                    tokio::spawn(async move {
                        connection.await;
                        drop((permit, place));
                    });
                }
                // Nobody waits for him to read it.
                Err(_) => drop(stream.try_write(ENOUGH)),
            },
            // Out of files, say: wait for some to be closed.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

/// What an address is told that has all its connections.
const ENOUGH: &[u8] = b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 10\r\nconnection: close\r\n\
    content-length: 0\r\n\r\n";

async fn serve(stream: TcpStream, peer: SocketAddr, house: House, mut stopping: watch::Receiver<bool>) {
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: Request<Incoming>| {
        let House { mut router, server } = house.clone();
        let pass = async move |request: Request<Body>| {
            router.call(request).await.unwrap_or_else(|never| match never {})
        };
        async move { Ok::<_, Infallible>(guard::guard(&server, peer, request.map(Body::new), pass).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(64 << 10)
        // Answers are small: one piece each costs less than handing over several.
        .writev(false)
        .serve_connection(TokioIo::new(Wire::new(stream, STANDSTILL)), service);
    tokio::pin!(connection);
    // How a connection ends is the client's affair.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = stopping.wait_for(|stopping| *stopping) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}
