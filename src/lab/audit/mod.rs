//! Is a pruning sound? [`Audit`] searches what it cuts off.

mod audited;
mod bounds;
mod coverage;
mod dominances;
mod instances;
mod keys;
mod ledger;
mod loss;
mod reference;
mod search;
mod sweep;
mod violation;
mod walk;
mod watched;

pub use coverage::{Coverage, Share};
pub use instances::{Instances, Unsound, audit_all};
pub use loss::Loss;
pub use search::Audit;
pub use sweep::SweepAudit;
pub use violation::{Exhibit, Violation};
