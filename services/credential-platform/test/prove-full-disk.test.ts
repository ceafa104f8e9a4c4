// The disk is full: what needs room is refused with a code that says so, nothing that was answered is lost, and signing
// goes on by itself when there is room again. `npm run prove:full-disk` runs it: not every machine lets a process have a
// small disk of its own.
import { fillDisk } from '@chancela/testkit/programs'
import { describe, expect, test, vi } from 'vitest'
import { concludedDegree, dean, documentOf, madeDegree, newDegree, schoolAt, signAs } from './test-support/issuing.ts'
import { onSmallDisk } from './test-support/processes.ts'

const full = { status: 503, body: { code: 'disk-full', title: expect.stringContaining('disk is full') } }
const alone = { createAcademicTranscript: false }

describe('a full disk', () => {
  test('refuses what needs room, loses nothing that was answered, and is no hindrance once there is room', async () => {
    const platform = await onSmallDisk(24)
    const school = await schoolAt(platform)
    const done = await concludedDegree(school, alone)
    const before = await school.file(done.path, 'public-xml')
    const waiting = await madeDegree(school, alone)
    const { id: documentId } = await documentOf(school, waiting.id)

    const giveBack = fillDisk(platform.ballast)
    const wanted = newDegree(school.instituteId, alone)
    const making = () => school.json('POST', '/api/degrees', wanted)
    // The database has some room left when files have none.
    const refused = await vi.waitUntil(
      async () => {
        const answer = await making()
        return answer.status === 503 ? answer : undefined
      },
      { interval: 10, timeout: 60_000 },
    )
    expect(refused).toMatchObject(full)
    const unsigned = await signAs(school, documentId, dean())
    if (unsigned.status !== 200) expect(unsigned).toMatchObject(full)
    expect((await school.json('GET', waiting.path)).body.status).toBe('Pending')
    expect((await school.file(done.path, 'public-xml')).equals(before)).toBe(true)

    giveBack()
    // The line of the book was not taken by what was refused.
    expect((await making()).status).toBe(201)
    if (unsigned.status !== 200) expect((await signAs(school, documentId, dean())).status).toBe(200)
    await vi.waitUntil(() => documentOf(school, waiting.id, 'degree'), { interval: 200, timeout: 90_000 })
  })
})
