// Drives Firefox by its own protocol, Marionette: messages of JSON over a socket.
import { execFileSync, spawn } from 'node:child_process';
import { connect } from 'node:net';

/** Returns the path of Firefox: the program named by FIREFOX, or one on the path, or ''. */
export function firefox() {
  if (process.env.FIREFOX) return process.env.FIREFOX;
  try {
    const find = 'command -v firefox-esr || command -v firefox';
    return execFileSync('sh', ['-c', find], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

/**
 * Starts Firefox with a new profile. Returns a function that sends a command, and one that ends
 * Firefox.
 */
export async function startFirefox(profile) {
  const port = 20_000 + process.pid % 20_000;
  // The port is a preference of the profile.
  const { writeFileSync } = await import('node:fs');
  writeFileSync(`${profile}/user.js`, `user_pref("marionette.port", ${port});\n`);
  const options = ['--headless', '--marionette', '--no-remote', '--profile', profile];
  const process_ = spawn(firefox(), options, { stdio: 'ignore' });
  const socket = await new Promise((resolve, reject) => {
    const attempt = (left) => {
      const tried = connect(port, '127.0.0.1');
      tried.once('connect', () => resolve(tried));
      tried.once('error', (error) => {
        if (left) setTimeout(attempt, 250, left - 1); else reject(error);
      });
    };
    attempt(240);
  });
  let received = '', next = 1;
  const waiting = new Map();
  socket.setEncoding('utf8').on('data', (text) => {
    received += text;
    for (let match; (match = /^(\d+):/.exec(received));) {
      const start = match[0].length, end = start + Number(match[1]);
      if (received.length < end) break;
      const body = JSON.parse(received.slice(start, end));
      received = received.slice(end);
      // The first message is a greeting.
      if (Array.isArray(body)) waiting.get(body[1])?.(body);
    }
  });
  const send = (name, parameters = {}) => new Promise((resolve, reject) => {
    const id = next++, text = JSON.stringify([0, id, name, parameters]);
    waiting.set(id, ([, , error, result]) => {
      if (error) reject(new Error(JSON.stringify(error))); else resolve(result);
    });
    socket.write(`${text.length}:${text}`);
  });
  await send('WebDriver:NewSession', { capabilities: {} });
  return { send, end: () => { socket.destroy(); process_.kill(); } };
}
