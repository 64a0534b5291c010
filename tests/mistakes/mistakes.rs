//! The messages of the compiler for the mistakes that new users are most likely to make: each names
//! what is missing, or what to write instead.

/// The messages are those of the current stable compiler. To accept those of a newer one, set
/// `TRYBUILD=overwrite` and read the difference.
#[test]
#[ignore = "compiles the crate: cargo test -p secateurs-mistakes -- --ignored"]
fn the_compiler_names_the_fix_of_a_mistake() {
    trybuild::TestCases::new().compile_fail("programs/*.rs");
}
