import type { Mutators } from './mutator.ts'
import { inOneMatch } from './text.ts'

/** What makes a PDF one that has to be repaired; what remains is as good as before. */
export const repairableDamage: Mutators = {
  'no cross-reference': (bytes) => bytes.subarray(0, Math.max(0, bytes.lastIndexOf('startxref') - 20)),
  'a wrong startxref': inOneMatch(/startxref\s+\d+/g, (_, random) => `startxref\n${random.below(99)}`),
  'a wrong length': inOneMatch(/\/Length \d+/g, (_, random) => `/Length ${random.below(9)}`),
  'bytes in between': inOneMatch(/\d+ 0 obj/g, (found) => `% another editor was here\n${found}`),
  'an end that is cut off': (bytes, random) => bytes.subarray(0, bytes.length - random.below(80)),
  'other entries of a signature': inOneMatch(/\/(ByteRange|Contents|SubFilter|FT|V)\b/g, (_, random) =>
    random.pick(['/X', '/V', '/Byte#52ange', '/Cont#65nts', '/F#54']),
  ),
}
