//! A worker: a process of this program that does one job after the other, behind walls. It ends with the server, which is
//! at the other end of its standard input.

use crate::desk::Desk;
use crate::limits::ServeLimits;
use crate::memory::give_back_large_blocks;
use crate::wire::{receive, send};
use anyhow::Result;
use tabwise::answer::Asker;

/// Works until the server ends.
///
/// # Errors
///
/// If the server cannot be heard or spoken to.
pub fn work(asker: Asker, min_confidence: f64, limits: &ServeLimits) -> Result<()> {
    give_back_large_blocks();
    let desk = Desk::new(asker, min_confidence, limits);
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let walls = limits.walls();
    walls.put_up();
    // The server hears of a panic as the result of the job.
    std::panic::set_hook(Box::new(|_| {}));
    while let Some(message) = receive(&mut input)? {
        walls.start_job();
        let done = desk.work(&message);
        drop(message);
        send(&done, &mut output)?;
    }
    Ok(())
}
