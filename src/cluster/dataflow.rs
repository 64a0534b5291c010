//! What timely runs for each worker: a loop of bytes a [line](super::post::Line), and nothing of
//! the search or the sweep.
//!
//! Whatever is sent with the right of round *n* arrives with the right to send in round *n* + 1.
//! Rights are timely's capabilities: when nobody holds one of a round or an earlier one, and
//! nothing of it is on the way, everybody comes to know. That is how rounds end, and how a search
//! without a coordinator notices that nothing is left to do. (Murray, McSherry, Isaacs, Isard,
//! Barham and Abadi, 2013.)
//!
//! Operators of a dataflow must not borrow, and a search borrows its problem. So the search has a
//! thread of its own, and this one does as it is told by [commands](Command), and tells what
//! happens by [events](Event); in between it sleeps.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError};

use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::operators::generic::builder_rc::OperatorBuilder;
use timely::dataflow::operators::{Capability, ConnectLoop, Feedback};
use timely::scheduling::{Activator, SyncActivator};
use timely::worker::Worker;

use super::packet::{ByAddress, Packet};

/// Which of its rights a worker speaks of.
pub(super) type RightId = u64;

/// What a worker has to be done.
pub(super) enum Command {
    Send {
        line: usize,
        right: RightId,
        to: usize,
        bytes: Vec<u8>,
    },
    /// To send in a round that is not before that of the right.
    GoOnTo {
        line: usize,
        right: RightId,
        round: u64,
    },
    GiveBack {
        line: usize,
        right: RightId,
    },
    /// There will be no more commands.
    End,
}

/// What happens.
pub(super) enum Event {
    /// The lines are there, each with a right of round 0 whose number is 0.
    Ready { wake: SyncActivator, own: usize, peers: usize },
    /// A packet has come in a round, and with it a right.
    Letter { line: usize, right: RightId, round: u64, from: usize, bytes: Vec<u8> },
    /// Packets may come from this round on only, or none at all.
    Open { line: usize, open: Option<u64> },
}

/// What the operator of a line shares with the thread that it is in.
struct Line {
    rights: HashMap<RightId, Capability<u64>>,
    next: RightId,
    outbox: Vec<(Capability<u64>, Packet)>,
    open: Option<u64>,
    /// Whether the worker has ended. Its receiver of events may still exist then, but no command
    /// would drop a capability.
    has_ended: bool,
}

type Shared = Rc<RefCell<Line>>;

/// Sets up a line: to be done by all workers in the same order.
fn lay(worker: &mut Worker, index: usize, events: Sender<Event>) -> (Shared, Rc<[usize]>) {
    let peers = worker.peers();
    let line = Line {
        rights: HashMap::new(),
        next: 1,
        outbox: Vec::new(),
        open: Some(0),
        has_ended: false,
    };
    let shared = Rc::new(RefCell::new(line));
    let within = Rc::clone(&shared);
    let address = worker.dataflow::<u64, _, _>(|scope| {
        let (again, arriving) = scope.feedback::<Packet>(1);
        let mut operator = OperatorBuilder::new("line".to_owned(), scope);
        let mut input = operator.new_input(arriving, DistributorPact(|_| ByAddress));
        let (mut output, leaving) = operator.new_output::<Packet>();
        let address = operator.operator_info().address;
        operator.build(move |rights| {
            within.borrow_mut().rights.extend((0..).zip(rights));
            move |frontiers| {
                let line = &mut *within.borrow_mut();
                input.for_each(|arrived, packet| {
                    let Packet { from, bytes, .. } = std::mem::take(packet);
                    if from >= peers || line.has_ended {
                        return;
                    }
                    let Some(capability) = arrived.retain_least(0) else { return };
                    let (right, round) = (line.next, *capability.time());
                    line.next += 1;
                    if events.send(Event::Letter { line: index, right, round, from, bytes }).is_ok()
                    {
                        line.rights.insert(right, capability);
                    }
                });
                let mut output = output.activate();
                for (right, mut packet) in line.outbox.drain(..) {
                    output.give(&right, &mut packet);
                }
                let open = frontiers[0].frontier().first().copied();
                if open != line.open {
                    line.open = open;
                    let _ = events.send(Event::Open { line: index, open });
                }
            }
        });
        leaving.connect_loop(again);
        address
    });
    (shared, address)
}

/// Carries out commands and tells events, until nobody gives commands any more and all lines have
/// ended everywhere.
pub(super) fn serve(
    worker: &mut Worker,
    lines: usize,
    commands: &Receiver<Command>,
    events: Sender<Event>,
) {
    let own = worker.index();
    let lines: Vec<_> = (0..lines).map(|index| lay(worker, index, events.clone())).collect();
    let activators: Vec<Activator> =
        lines.iter().map(|(_, address)| worker.activator_for(Rc::clone(address))).collect();
    if let Some((_, address)) = lines.first() {
        let wake = worker.sync_activator_for(address.to_vec());
        let _ = events.send(Event::Ready { wake, own, peers: worker.peers() });
    }
    drop(events);
    loop {
        match commands.try_recv() {
            Ok(Command::End) | Err(TryRecvError::Disconnected) => break,
            Ok(command) => carry_out(command, own, &lines, &activators),
            Err(TryRecvError::Empty) => {
                worker.step_or_park(None);
            }
        }
    }
    // The worker has no more use for its capabilities; the messages of others still have to be
    // drained.
    for ((line, _), activator) in lines.iter().zip(&activators) {
        let line = &mut *line.borrow_mut();
        line.has_ended = true;
        line.rights.clear();
        activator.activate();
    }
    while worker.has_dataflows() {
        worker.step_or_park(None);
    }
}

fn carry_out(
    command: Command,
    own: usize,
    lines: &[(Shared, Rc<[usize]>)],
    activators: &[Activator],
) {
    let index = match command {
        Command::Send { line: index, right, to, bytes } => {
            let mut line = lines[index].0.borrow_mut();
            if let Some(right) = line.rights.get(&right).cloned() {
                line.outbox.push((right, Packet { to, from: own, bytes }));
            }
            index
        }
        Command::GoOnTo { line: index, right, round } => {
            if let Some(right) = lines[index].0.borrow_mut().rights.get_mut(&right) {
                right.downgrade(&round);
            }
            index
        }
        Command::GiveBack { line: index, right } => {
            lines[index].0.borrow_mut().rights.remove(&right);
            index
        }
        Command::End => return,
    };
    activators[index].activate();
}
