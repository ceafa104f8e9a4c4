// The process behind node-loader: repeats one request over keep-alive connections for a time, then reports the counts.
import { Agent, request } from 'node:http'
import { sendToParent } from '../../harness/program-side.ts'
import { CONNECTIONS, type Load, type LoadTarget } from './load.ts'

const { target, forMs } = JSON.parse(process.argv[2] ?? '') as { target: LoadTarget; forMs: number }
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })

interface Lane {
  readonly latencies: number[]
  failures: number
}

const start = performance.now()
const lanes = await Promise.all(Array.from({ length: CONNECTIONS }, () => runLane(start + forMs)))
sendToParent(addUp(lanes, performance.now() - start))

async function runLane(deadline: number): Promise<Lane> {
  const lane: Lane = { latencies: [], failures: 0 }
  while (performance.now() < deadline) {
    const sent = performance.now()
    // The count is changed after the wait, never across it: see repeatFor.
    const served = await send()
    if (served) lane.latencies.push(performance.now() - sent)
    else lane.failures++
  }
  return lane
}

function send(): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(target.body) }
    const sending = request(target.url, { method: 'POST', agent, headers: { ...headers, ...target.headers } })
    sending.once('error', () => resolve(false)) // counted as a failure, which refuses the whole sample
    sending.once('response', (response) => {
      response.resume()
      response.once('end', () => resolve((response.statusCode ?? 500) < 400))
    })
    sending.end(target.body)
  })
}

function addUp(all: readonly Lane[], wallMs: number): Load {
  const latencies = all.flatMap((lane) => lane.latencies).sort((a, b) => a - b)
  const percentile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN
  return {
    requests: latencies.length,
    wallMs,
    failures: all.reduce((sum, lane) => sum + lane.failures, 0),
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
  }
}
