// What a creation would answer, without making anything: the same functions make the item, before a desk that keeps
// nothing, and nothing is inserted.
import type { Context } from '../../context.ts'
import type { NewCurriculum, NewTranscript } from '../../contract/curriculums.ts'
import type { NewDegree, NewEmission } from '../../contract/degrees.ts'
import type { Caller } from '../../rules/rights.ts'
import { type Making, makeCurriculum, requireFreeCode } from '../curriculums/curriculums.ts'
import { degreePlace, makeDegree } from '../degrees/make-degree.ts'
import { emissionPlace, makeEmission } from '../emissions/emissions.ts'
import { makeTranscript, transcriptGiven, transcriptPlace } from '../transcripts/transcripts.ts'

interface Checked {
  readonly academicTranscriptCreationError: string | null
  readonly documents: string[]
}

type Make<Asked> = (making: Making, caller: Caller, asked: Asked, now: Date) => Promise<string | null | undefined>

const checks = {
  async degree(making, caller, asked, now) {
    const place = await degreePlace(making.context.store.db, caller, asked)
    return (await makeDegree(making, caller, place, asked, now)).row.transcript_creation_error
  },
  async emission(making, caller, asked, now) {
    await makeEmission(making, await emissionPlace(making.context.store.db, caller, asked), asked, now)
  },
  async transcript(making, caller, asked, now) {
    const place = await transcriptPlace(making.context.store.db, caller, asked)
    await makeTranscript(making, transcriptGiven(place, asked), now)
  },
  async curriculum(making, caller, asked, now) {
    const { row } = await makeCurriculum(making, caller, asked, now)
    await requireFreeCode(making.context.store.db, row)
  },
} satisfies {
  degree: Make<NewDegree>
  emission: Make<NewEmission>
  transcript: Make<NewTranscript>
  curriculum: Make<NewCurriculum>
}

/** Checks a draft of a kind; what is wrong with it is thrown as its creation throws it. */
export async function checkDraft<Kind extends keyof typeof checks>(
  context: Context,
  kind: Kind,
  caller: Caller,
  asked: Parameters<(typeof checks)[Kind]>[2],
  wantsXml: boolean,
  now: Date,
): Promise<Checked> {
  const documents: string[] = []
  const keep = async (bytes: Uint8Array) => {
    if (wantsXml) documents.push(Buffer.from(bytes).toString('utf8'))
    return { digest: '', size: bytes.length }
  }
  const check = checks[kind] as Make<typeof asked>
  const problem = await check({ context, desk: { keep } }, caller, asked, now)
  return { academicTranscriptCreationError: problem ?? null, documents }
}
