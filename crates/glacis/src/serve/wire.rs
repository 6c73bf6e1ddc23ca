//! The wire to a client who may stop reading: what is to be sent must move on, or he is dropped, and
//! with him the answer that was held for him.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

/// A connection whose writes must not stand still for longer than this.
pub(super) struct Wire<S> {
    stream: S,
    patience: Duration,
    /// Runs while nothing can be written.
    until: Option<Pin<Box<Sleep>>>,
}

impl<S> Wire<S> {
    pub(super) fn new(stream: S, patience: Duration) -> Self {
        Self { stream, patience, until: None }
    }

    /// What became of a write: one that waits is given up when the time is over.
    fn moved<T>(&mut self, context: &mut Context<'_>, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.until = None;
            return polled;
        }
        let patience = self.patience;
        let until = self.until.get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + patience)));
        ready!(until.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Wire<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Wire<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.moved(context, polled)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_flush(context);
        self.moved(context, polled)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_shutdown(context);
        self.moved(context, polled)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;

    use super::*;

    #[tokio::test]
    async fn who_does_not_read_is_dropped_and_who_reads_slowly_is_not() {
        let (near, mut far) = tokio::io::duplex(16);
        let mut wire = Wire::new(near, Duration::from_millis(200));
        let reading = tokio::spawn(async move {
            let mut letters = [0; 16];
            for _ in 0..4 {
                tokio::time::sleep(Duration::from_millis(20)).await;
                tokio::io::AsyncReadExt::read_exact(&mut far, &mut letters).await.unwrap();
            }
            far
        });
        wire.write_all(&[0; 64]).await.unwrap();
        let _far = reading.await.unwrap();
        let stuck = wire.write_all(&[0; 64]).await.unwrap_err();
        assert_eq!(stuck.kind(), io::ErrorKind::TimedOut);
    }
}
