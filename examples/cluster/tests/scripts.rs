//! The scripts that restart, kill and compare clusters. Shell scripts stand in for searches.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::support::scratch::Directory;

/// The beginning of each stand-in: `$n` is the number of processes, `$p` the number of this one,
/// `$h` the hostfile, `$d` its directory.
const OPTIONS: &str = r#"d=$1; shift; while [ $# -gt 0 ]; do
    case $1 in -n) n=$2 ;; -p) p=$2 ;; -h) h=$2 ;; esac; shift; done;"#;

fn script(name: &str, options: &[&str], stand_in: &str, directory: &str) -> Command {
    let mut command = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join(name));
    let stand_in = format!("{OPTIONS} {stand_in}");
    command.args(options).args(["--", "bash", "-c", &stand_in, "stand-in", directory]);
    command
}

fn text(output: &[u8]) -> String {
    String::from_utf8(output.to_vec()).expect("text")
}

fn run(command: &mut Command) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = command.output().expect("bash");
    println!("{}", text(&stderr));
    (status.code(), text(&stdout))
}

#[test]
fn all_processes_restart_when_one_is_killed() {
    let directory = Directory::new();
    let path = directory.0.to_str().expect("text");
    // In the first run, the one of three processes, process 1 dies when all have started, and the
    // others would wait forever.
    let stand_in = r#"
        echo "$n" >>"$d/processes-$p"; cp "$h" "$d/hosts"
        if [ "$n" = 3 ]; then
            while [ "$p" = 1 ]; do
                [ ! -s "$d/processes-0" ] || [ ! -s "$d/processes-2" ] || kill -KILL $$
                sleep 0.05
            done
            while true; do sleep 0.05; done
        fi
        echo "of $p"; sleep "0.$p""#;
    let mut command = script(
        "supervise",
        &["--processes", "3 2", "--port", "22700", "--pause", "0"],
        stand_in,
        path,
    );
    assert_eq!(run(&mut command), (Some(0), "of 0\n".to_owned()));
    let starts = |process: u32| {
        fs::read_to_string(directory.0.join(format!("processes-{process}"))).expect("started")
    };
    assert_eq!([starts(0), starts(1), starts(2)], ["3\n2\n", "3\n2\n", "3\n"]);
    assert_eq!(
        fs::read_to_string(directory.0.join("hosts")).expect("a file"),
        "127.0.0.1:22700\n127.0.0.1:22701\n"
    );
}

#[test]
fn the_supervisor_gives_up_after_its_restarts() {
    let directory = Directory::new();
    let path = directory.0.to_str().expect("text");
    let supervised = |stand_in: &str| {
        let stand_in = format!(r#"[ "$p" != 0 ] || echo life; {stand_in}"#);
        run(&mut script(
            "supervise",
            &["-n", "2", "--restarts", "2", "--pause", "0"],
            &stand_in,
            path,
        ))
    };
    assert_eq!(supervised("sleep 0.1; exit 7"), (Some(7), "life\n".repeat(3)));
    assert_eq!(supervised("exit 0"), (Some(0), "life\n".to_owned()));
}

#[test]
fn ending_the_supervisor_ends_all_processes() {
    let directory = Directory::new();
    let path = directory.0.to_str().expect("text");
    // Process 1 ignores SIGTERM.
    let stand_in = r#"
        [ "$p" = 0 ] && trap 'touch "$d/asked"; exit 3' TERM || trap "" TERM
        touch "$d/started-$p"; while true; do sleep 0.05; done"#;
    let pids = directory.0.join("pids");
    let options = ["-n", "2", "--grace", "1", "--pids", pids.to_str().expect("text")];
    let mut supervisor =
        script("supervise", &options, stand_in, path).stderr(Stdio::null()).spawn().expect("bash");
    while !(directory.0.join("started-0").exists()
        && directory.0.join("started-1").exists()
        && pids.exists())
    {
        std::thread::sleep(Duration::from_millis(1));
    }
    let pids = fs::read_to_string(pids).expect("numbers");
    let ended = Command::new("kill").arg(supervisor.id().to_string()).status().expect("kill");
    assert!(ended.success());
    let status = supervisor.wait().expect("it was started");
    // The exit code of process 1, which SIGKILL has ended: 128 plus the number of the signal.
    assert_eq!(status.code(), Some(137));
    assert!(directory.0.join("asked").exists());
    for pid in pids.lines() {
        assert!(!Path::new("/proc").join(pid).exists(), "{pid}");
    }
}

#[test]
fn the_drill_detects_double_counting() {
    // The stand-in finds 21 once, whichever process is killed, and adds `double_counted`, as if it
    // had counted that twice.
    let drill = |double_counted: &str| {
        let stand_in = format!(
            r#"mkdir -p "$d"; [ "$p" != 0 ] || [ -e "$d/sum" ] || {{
                sleep 0.7; echo 21 >"$d/part"; mv "$d/part" "$d/sum"; }}
            while [ ! -e "$d/sum" ]; do sleep 0.05; done
            [ "$p" != 0 ] || echo $(($(cat "$d/sum") + {double_counted}))"#
        );
        let options = ["--runs", "2", "--processes", "1 2", "--port", "22710", "21"];
        run(&mut script("fault-drill", &options, &stand_in, "{}"))
    };
    let (code, table) = drill("0");
    assert_eq!(code, Some(0), "{table}");
    assert!(table.contains("2 runs with seed 1, 0 of them wrong"), "{table}");
    let (code, table) = drill(r#"$(grep -c "^supervise: restart" "$d/../err")"#);
    assert_eq!(code, Some(1), "{table}");
    assert!(
        table.contains("2 of them wrong") && table.contains("22 WRONG: expected 21"),
        "{table}"
    );
}

#[test]
fn the_drill_needs_two_different_numbers_of_processes() {
    // Every second run changes the number of processes, so that one number would loop forever.
    for numbers in ["2", "2 2"] {
        let options = ["--processes", numbers, "21"];
        assert_eq!(run(&mut script("fault-drill", &options, "", "{}")).0, Some(2), "{numbers}");
    }
}

#[test]
fn the_check_fails_without_output() {
    let directory = Directory::new();
    let check = |stand_in: &str| {
        let examples = directory.0.join("examples");
        fs::create_dir_all(&examples).expect("created");
        for name in ["cluster_queens", "cluster_count", "cluster_clique", "../secateurs"] {
            let file = examples.join(name);
            fs::write(&file, format!("#!/usr/bin/env bash\n{stand_in}\n")).expect("written");
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("changed");
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut command = Command::new(root.join("examples/cluster/check"));
        command.args(["--quick", "--port", "22730", "--examples"]).arg(&examples);
        run(command.current_dir(root).stdin(Stdio::null()))
    };
    let (code, table) = check("exit 0");
    assert_eq!(code, Some(1), "{table}");
    assert!(!table.contains("right ") && table.contains("found no output, expected"), "{table}");
    // The answer of a failed process does not count.
    let (code, table) = check("echo '12-queens: 6, 4 nodes'; exit 3");
    assert_eq!(code, Some(1), "{table}");
    assert!(!table.contains("right ") && table.contains("found no output, expected"), "{table}");
}
