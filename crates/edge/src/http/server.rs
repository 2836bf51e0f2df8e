//! The server: listens, hands each request on, and ends when it is told to. What a request comes to
//! is not its business.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, RawPathParams, Request, State};
use axum::routing::any;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use super::again::Again;
use super::before::Before;
use super::peer::Remote;
use super::routes;
use super::shop::{self, Shop};
use super::token::Token;
use crate::site::Site;

/// Threads that wait for connections; work is done elsewhere.
const WORKERS: usize = 2;
/// How long requests under way are waited for at the end.
const LEAVE_WAIT: Duration = Duration::from_secs(2);

/// What the server needs to know.
pub struct Plan {
    /// The workspace.
    pub site: Site,
    /// Where to listen.
    pub listen: SocketAddr,
    /// What a caller may do who cannot be found.
    pub remote: Remote,
    /// What everybody has to show.
    pub token: Token,
}

/// Serves until it is interrupted. `ready` hears where it listens.
///
/// # Errors
/// When it cannot listen there.
pub fn serve(plan: Plan, ready: impl FnOnce(SocketAddr)) -> std::io::Result<()> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(WORKERS).enable_all().build()?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(plan.listen).await?;
        let listen = listener.local_addr()?;
        let (mut asked, mut ended) =
            (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        let shop = Arc::new(Shop {
            site: plan.site,
            token: plan.token,
            remote: plan.remote,
            listen,
            again: Again::default(),
            before: Before::default(),
            over: AtomicBool::new(false),
            streams: AtomicUsize::new(0),
        });
        let service = router(&shop).into_make_service_with_connect_info::<SocketAddr>();
        ready(listen);
        let over = Arc::clone(&shop);
        let (left, leaving) = tokio::sync::oneshot::channel();
        let serving = axum::serve(listener, service).with_graceful_shutdown(async move {
            tokio::select! {
                _ = asked.recv() => {}
                _ = ended.recv() => {}
            }
            over.over.store(true, Ordering::SeqCst);
            // Whoever waits for it has gone if this fails.
            let _ = left.send(());
        });
        tokio::select! {
            served = async { serving.await } => served,
            () = async {
                let _ = leaving.await;
                tokio::time::sleep(LEAVE_WAIT).await;
            } => Ok(()),
        }
    });
    runtime.shutdown_timeout(LEAVE_WAIT);
    served
}

fn router(shop: &Arc<Shop>) -> Router {
    let mut router = Router::new();
    for path in routes::paths() {
        let handler = any(
            move |State(shop): State<Arc<Shop>>,
                  from: ConnectInfo<SocketAddr>,
                  params: Result<RawPathParams, _>,
                  raw: Request| {
                let params: Result<
                    RawPathParams,
                    axum::extract::rejection::RawPathParamsRejection,
                > = params;
                shop::attend(shop, path, from, params.ok(), raw)
            },
        );
        router = router.route(path, handler);
    }
    let nowhere = |State(shop): State<Arc<Shop>>, from: ConnectInfo<SocketAddr>, raw: Request| {
        shop::attend(shop, "", from, None, raw)
    };
    router.fallback(nowhere).with_state(Arc::clone(shop))
}
