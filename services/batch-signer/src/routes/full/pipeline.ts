import { type Call, serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { pausePipeline, pipelineState, resumePipeline } from '../../contract/pipeline.ts'
import type { BatchMetrics } from '../../metrics.ts'
import type { LiveTopics } from '../../parts/live-topics.ts'
import type { ProfileDirectory } from '../../parts/signing/signing.ts'
import type { Actor } from '../../rules/actor.ts'
import { type PauseMove, reasonOf } from '../../rules/pause.ts'
import { troubleIn } from '../../rules/trouble.ts'
import { movePipeline, readPipelineState } from '../../store/pipeline-state.ts'
import type { Pipeline } from '../../workers/pipeline/create-pipeline.ts'
import { actorOf } from '../operator-access.ts'
import { displayLanguage } from './culture.ts'
import type { FullApp } from './full-app.ts'

type Asked = Parameters<typeof displayLanguage>[0]
type Reason = Parameters<typeof reasonOf>[0]

export interface PipelineParts {
  readonly pipeline: Pick<Pipeline, 'inFlight' | 'waitsForStorage'>
  readonly profiles: Pick<ProfileDirectory, 'holds'>
  readonly metrics: Pick<BatchMetrics, 'bulk_pipeline_pause_total' | 'bulk_pipeline_resume_total'>
  readonly live: Pick<LiveTopics, 'announce'>
}

/** Registers pause and resume. */
export function servePipeline(app: FullApp, context: Context, parts: PipelineParts): void {
  const { pipeline, profiles, metrics, live } = parts
  const counters = { pause: metrics.bulk_pipeline_pause_total, resume: metrics.bulk_pipeline_resume_total }

  const state = async (call: Asked) => {
    const row = await readPipelineState(context.store.db)
    const inFlight = pipeline.inFlight()
    const trouble = pipeline.waitsForStorage()
    return {
      paused: row.paused === 1,
      pausedAtUtc: row.paused_at,
      resumedAtUtc: row.resumed_at,
      pausedBy: row.paused_by,
      reason: row.reason,
      selfPaused: trouble
        ? { sinceUtc: trouble.since.toISOString(), reason: troubleIn(displayLanguage(call), trouble) }
        : null,
      heldProfiles: profiles.holds.names(),
      maxConcurrency: context.settings.Pipeline.MaxConcurrency,
      jobsInFlight: inFlight.total,
      jobsInFlightByFormat: inFlight,
    }
  }
  const move = async (which: PauseMove, call: Asked & Pick<Call, 'now'>, actor: Actor, reason: Reason) => {
    const moved = await movePipeline(context, which, { actor, reason: reasonOf(reason), now: call.now })
    if (moved) {
      counters[which].inc()
      live.announce('pipeline')
    }
    return state(call)
  }

  serve(app, pausePipeline, (call) => move('pause', call, actorOf(call.caller), call.body?.reason))
  serve(app, resumePipeline, (call) => move('resume', call, actorOf(call.caller), call.body?.reason))
  serve(app, pipelineState, state)
}
