import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onCore } from '../../harness/program.ts'
import { CONNECTIONS, LOADER_CORE, type Load, type LoadGenerator, type LoadTarget } from './load.ts'

/** The `wrk` program, one thread: leaves most of the second core idle, so that the server is the limit. */
export const wrk = (scratchFolder: string): LoadGenerator => ({
  description: `wrk (1 thread, ${CONNECTIONS} connections)`,
  run: async (target, forMs) => {
    const script = join(scratchFolder, 'wrk.lua')
    await writeFile(script, luaScript(target))
    const [command = '', ...args] = onCore(LOADER_CORE, wrkCommand(script, target.url, forMs))
    const { stdout } = await promisify(execFile)(command, args)
    return parseCounts(stdout)
  },
})

// It counts in whole seconds; shorter turns (the warm-up) are rounded up.
const wrkCommand = (script: string, url: string, forMs: number): string[] => {
  const seconds = Math.max(1, Math.round(forMs / 1000))
  return ['wrk', '-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', script, url]
}

const MARK = 'chancela'

const luaScript = ({ headers, body }: LoadTarget): string => `
wrk.method = "POST"
wrk.body = ${luaText(body)}
wrk.headers["content-type"] = "application/json"
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[${luaText(name)}] = ${luaText(value)}`)
  .join('\n')}

done = function(summary, latency, requests)
  local errors = summary.errors
  -- Late answers (errors.timeout) are no failures: they show in the rate, and a starved machine has some.
  local failures = errors.connect + errors.read + errors.write + errors.status
  io.write(string.format("${MARK} %d %d %d %d %d\\n",
    summary.requests, summary.duration, failures, latency:percentile(50), latency:percentile(99)))
end
`

// JSON's escapes are not Lua's, but in decimal form every byte is safe.
const luaText = (text: string): string =>
  `"${[...Buffer.from(text)].map((byte) => `\\${String(byte).padStart(3, '0')}`).join('')}"`

function parseCounts(output: string): Load {
  const counts = new RegExp(`^${MARK} (\\d+) (\\d+) (\\d+) (\\d+) (\\d+)$`, 'm').exec(output)
  if (!counts) throw new Error(`wrk printed no counts:\n${output}`)
  const [requests = 0, wallMicros = 0, failures = 0, p50Micros = 0, p99Micros = 0] = counts.slice(1).map(Number)
  return { requests, wallMs: wallMicros / 1000, failures, p50Ms: p50Micros / 1000, p99Ms: p99Micros / 1000 }
}
