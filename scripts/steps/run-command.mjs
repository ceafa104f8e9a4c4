import { spawn } from 'node:child_process'
import { withProgress } from './progress.mjs'
import { Hindrance, knownCause } from './say.mjs'

export const root = new URL('../..', import.meta.url).pathname

/** A program of an installed package; called directly, because npx takes half a second to find it.
 * @param {string} name */
export const installed = (name) => `${root}node_modules/.bin/${name}`

/**
 * Runs a command and passes its output through.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options]
 * @returns {Promise<number>} exit code
 */
export function passThrough(command, args, options = {}) {
  const child = spawn(command, args, {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.env },
    stdio: 'inherit',
  })
  return exitOf(child)
}

/**
 * Runs a command and keeps what it says, on both streams, in the order it comes.
 * @param {string} command
 * @param {readonly string[]} args
 */
export async function heard(command, args) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = collect(child)
  return { code: await exitOf(child), output: output.join('') }
}

/**
 * Runs a command quietly: how far it is while it works, its output only when it fails.
 * @param {string} what what a person reads
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, count?: () => Readonly<Parameters<import('./progress.mjs').Reached>> }} [options]
 */
export const quietly = (what, command, args, { cwd = root, env, count } = {}) =>
  withProgress(what, async (reached) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    const output = collect(child)
    const counting = count && setInterval(() => reached(...count()), 500)
    const code = await exitOf(child).finally(() => clearInterval(counting))
    if (code !== 0) throw new Hindrance(explain(what, code, output.join('')))
    if (count) reached(...count())
  })

/** @param {import('node:child_process').ChildProcess} child */
function collect(child) {
  /** @type {string[]} */
  const output = []
  child.stdout?.on('data', (chunk) => output.push(String(chunk)))
  child.stderr?.on('data', (chunk) => output.push(String(chunk)))
  return output
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<number>} */
function exitOf(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? (signal ? 130 : 1)))
  })
}

/** @param {string} what @param {number} code @param {string} output */
function explain(what, code, output) {
  const cause = knownCause(output)
  const tail = output.trim().split('\n').slice(-25).join('\n')
  return `${tail}\n\n${what} failed (exit code ${code}). ${cause ?? 'The lines above say why.'}`
}
