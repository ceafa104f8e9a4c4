import { Readable } from 'node:stream'
import { MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { live } from '../../contract/dashboard-jobs.ts'
import type { LiveTopics, LiveUpdate } from '../../parts/live-topics.ts'
import { countJobs } from '../../store/statistics.ts'
import type { FullApp } from '../full/full-app.ts'

export interface LiveParts {
  readonly live: LiveTopics
}

/** A line that keeps proxies from closing a silent connection. */
const HEARTBEAT = 15 * SECOND

/** A stream ends after this time; the browser opens the next one, which is authorised again. */
const LONGEST = 10 * MINUTE

/** Registers the live updates of the dashboard. */
export function serveLive(app: FullApp, context: Context, { live: topics }: LiveParts): void {
  const open = new Set<Readable>()
  // Streams never end by themselves: a shutdown would wait for them.
  app.addHook('preClose', async () => {
    for (const stream of open) stream.push(null)
  })
  serve(app, live, ({ reply }) => {
    reply.header('cache-control', 'no-store').header('x-accel-buffering', 'no')
    const stream = eventStream(context, topics)
    open.add(stream)
    stream.once('close', () => open.delete(stream))
    return stream
  })
}

function eventStream(context: Context, topics: LiveTopics): Readable {
  const stream = new Readable({ read: () => {} })
  stream.push('retry: 2000\n\n')
  const stop = topics.listen((update) => {
    void send(context, stream, update)
  })
  const heartbeat = setInterval(() => stream.push(': \n\n'), HEARTBEAT)
  const end = setTimeout(() => stream.push(null), LONGEST)
  stream.once('close', () => {
    stop()
    clearInterval(heartbeat)
    clearTimeout(end)
  })
  return stream
}

async function send({ store, logger }: Context, stream: Readable, { topics, jobs }: LiveUpdate): Promise<void> {
  try {
    for (const topic of topics) {
      const data = topic === 'jobs' ? { changed: jobs, counts: (await countJobs(store.db)).byStatus } : {}
      // Updates for a client that does not read are dropped, not buffered.
      if (!stream.destroyed && !stream.readableEnded && stream.readableLength < MOST_WAITING)
        stream.push(`event: ${topic}\ndata: ${JSON.stringify(data)}\n\n`)
    }
  } catch (error) {
    // The next update repeats it; the dashboard also polls.
    logger.warn({ err: error }, 'live update failed')
  }
}

/** Most bytes buffered for a slow client. */
const MOST_WAITING = 256 * 1024
