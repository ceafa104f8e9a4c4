// Conditions are not the file's fault: the profile is held, its files wait, and work goes on when the condition is over.
import { samplePdf } from '@chancela/testkit/samples'
import { testStores } from '@chancela/testkit/stores'
import { describe, expect, it } from 'vitest'
import type { ProfileDirectory, SigningPlan } from '../src/parts/signing/signing.ts'
import { type HoldReason, ProfileHeld } from '../src/rules/conditions.ts'
import { storesOf } from '../src/test-support/as-new.ts'
import { pipelineWorld } from '../src/workers/test-support/pipeline-world.ts'

/** A condition of the profile `payroll` that a test ends; nothing else is changed. */
function conditionOf(reason: HoldReason, where: 'plan' | 'validateCertificate' | 'sign') {
  let present = true
  const meet = () => {
    if (present) throw new ProfileHeld(reason, 'Said by the test.')
  }
  const changed = (plan: SigningPlan): SigningPlan => ({
    ...plan,
    validateCertificate: async () => {
      if (where === 'validateCertificate') meet()
    },
    sign: async (...given) => {
      if (where === 'sign') meet()
      return plan.sign(...given)
    },
  })
  return {
    end: () => {
      present = false
    },
    options: {
      profiles: { payroll: {} },
      probe: async () => meet(),
      wrapProfiles: (profiles: ProfileDirectory): ProfileDirectory => ({
        ...profiles,
        plan: (job) => {
          if (job.profileName !== 'payroll') return profiles.plan(job)
          if (where === 'plan') meet()
          return changed(profiles.plan(job))
        },
      }),
    },
  }
}

const payroll = { profileName: 'payroll' }

for (const [name, openStore] of Object.entries(testStores))
  describe(`a held profile on ${name}`, () => {
    const open = storesOf(openStore)

    it.each([
      ['plan', 'token-unavailable', 'profile.degraded'],
      ['validateCertificate', 'revocation-unanswered', 'job.certificate-invalid'],
      ['sign', 'timestamp-unavailable', 'profile.timestamp-unavailable'],
    ] as const)(
      'keeps its jobs queued when the condition shows at %s, while others are signed, and goes on by itself',
      async (where, reason, code) => {
        const condition = conditionOf(reason, where)
        const world = await pipelineWorld(open, condition.options)
        const waiting = await Promise.all(
          ['a', 'b', 'c'].map((one) => world.drop(`${one}.pdf`, samplePdf(one), payroll)),
        )
        const other = await world.drop('d.pdf', samplePdf('d'))
        world.pipeline.start()
        expect(await world.ended(other)).toMatchObject({ status: 'Completed' })
        await expect.poll(() => world.holds.of('payroll')).toMatchObject({ reason, code })
        const late = await world.drop('e.pdf', samplePdf('e'), payroll)
        for (const id of waiting) {
          const kept = { status: 'Queued', error_code: code, reached_key_at: null, output_name: null, owner: null }
          await expect.poll(() => world.row(id)).toMatchObject(kept)
        }
        expect(world.list('processing')).toEqual([])
        expect(world.list('error')).toEqual([])
        expect(await world.metric('bulk_jobs_failed_total')).toBe(0)

        condition.end()
        for (const id of [...waiting, late])
          expect(await world.ended(id)).toMatchObject({ status: 'Completed', error_code: null, error_message: null })
        expect(world.holds.list()).toEqual([])
        const history = await world.history(waiting[0]!)
        expect(history.filter((line) => line.code === code)).toMatchObject([
          { status: 'Queued', message: expect.stringContaining('Said by the test.') },
        ])
      },
    )

    it('does not end for the key that a file alone upsets: the file fails after others were signed in between', async () => {
      const world = await pipelineWorld(open, {
        wrapProfiles: (profiles) => ({
          ...profiles,
          plan: (job) => {
            const plan = profiles.plan(job)
            const sign: SigningPlan['sign'] = async (content, ...more) => {
              if (content.length === 4) throw new ProfileHeld('token-unavailable', 'Upset.')
              return plan.sign(content, ...more)
            }
            return { ...plan, sign }
          },
        }),
      })
      const upsetting = await world.drop('bad.bin', 'four')
      world.pipeline.start()
      for (let n = 0; (await world.row(upsetting)).status !== 'Failed' && n < 50; n++)
        await world.ended(await world.drop(`${n}.bin`, `content ${n}`))
      expect(await world.ended(upsetting)).toMatchObject({ status: 'Failed', error_code: 'profile.degraded' })
      await world.ended(await world.drop('last.bin', 'the last one'))
      expect(world.holds.list()).toEqual([])
    })

    it('waits for a person where trying again could do harm, and signs when tried by one', async () => {
      const condition = conditionOf('pin-refused', 'sign')
      const world = await pipelineWorld(open, condition.options)
      const id = await world.drop('a.pdf', samplePdf('a'), payroll)
      world.pipeline.start()
      await expect.poll(() => world.holds.of('payroll')).toMatchObject({ reason: 'pin-refused', nextTryAt: null })
      expect(await world.holds.tryNow('payroll')).toMatchObject({ reason: 'pin-refused' })
      await expect.poll(() => world.row(id)).toMatchObject({ status: 'Queued' })
      condition.end()
      expect(await world.holds.tryNow('payroll')).toBeUndefined()
      expect(await world.ended(id)).toMatchObject({ status: 'Completed' })
    })
  })
