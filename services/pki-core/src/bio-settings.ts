import { count, flag } from '@chancela/service-kernel/config'
import Type from 'typebox'

/** A likeness from 0 to 1, in hundredths. */
const percent = (value: number, description: string) => count({ minimum: 1, maximum: 100, default: value }, description)

/** The settings of biometric sessions. */
export const bioSettings = Type.Object({
  SessionMinutes: count({ minimum: 1, maximum: 1440, default: 15 }, 'Minutes a session may take, from its start.'),
  ResultMinutes: count(
    { minimum: 0, maximum: 1440, default: 60 },
    'Minutes for which the picture of a session that succeeded can be read after its end; then it is deleted. 0: not kept.',
  ),
  SessionDays: count(
    { minimum: 1, maximum: 3650, default: 90 },
    'Days after which a session that has ended is deleted.',
  ),
  Attempts: count({ minimum: 1, maximum: 10, default: 3 }, 'Attempts in a session.'),
  Challenges: count({ minimum: 2, maximum: 8, default: 4 }, 'Movements that a person is asked for in an attempt.'),
  ChallengeSeconds: count({ minimum: 3, maximum: 60, default: 10 }, 'Seconds for each movement.'),
  ReturnUrls: Type.Array(Type.String(), {
    default: [],
    description: 'Addresses that people may be sent back to: these, and what lies below. Empty: any.',
  }),
  MatchPercent: percent(45, 'Likeness above which a face is that of the subject, in hundredths (docs/biometrics.md).'),
  IdentifyPercent: percent(55, 'The same where a face is looked for among all subjects of a subscription.'),
  IdentifyMarginPercent: count(
    { minimum: 0, maximum: 50, default: 5 },
    'By how much the best of them must be ahead of the next, in hundredths.',
  ),
  RefuseDuplicates: flag(false, 'Whether an enrollment fails when another subject has this face (by IdentifyPercent).'),
  EngineThreads: count(
    { minimum: 1, maximum: 64, default: 1 },
    'Frames that are looked at together; each takes a core.',
  ),
  EngineQueue: count({ minimum: 1, maximum: 10_000, default: 32 }, 'Frames that may wait; more are turned away.'),
  EngineMemoryMb: count({ minimum: 128, maximum: 4096, default: 512 }, 'Memory of JavaScript in each thread.'),
  EngineSeconds: count({ minimum: 1, maximum: 300, default: 30 }, 'Seconds a frame may take.'),
})
