import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, CameraOff, type LucideIcon, ScanFace, Smile } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { fill } from '../shared/i18n/fill.ts'
import classes from './bio.module.css'
import { type CameraTrouble, frameOf } from './camera.ts'
import { Notice } from './notice.tsx'
import type { Answer, Session } from './page-calls.ts'
import { useCamera } from './use-camera.ts'
import { useTexts, useTitle } from './use-texts.ts'

interface CaptureProps {
  session: Session
  onFrame: (session: Session, jpeg: string) => Promise<Answer>
  onAbort: () => void
}

export function CaptureView({ session, onFrame, onAbort }: CaptureProps) {
  const texts = useTexts()
  const { camera, retry } = useCamera()
  if (camera === undefined)
    return (
      <p className={classes.muted} role="status" aria-busy="true">
        {texts.starting}
      </p>
    )
  if (typeof camera === 'string') return <WithoutCamera trouble={camera} onRetry={retry} onAbort={onAbort} />
  return <Live camera={camera} session={session} onFrame={onFrame} onAbort={onAbort} />
}

function WithoutCamera(props: { trouble: CameraTrouble; onRetry: () => void; onAbort: () => void }) {
  const texts = useTexts()
  return (
    <Notice icon={CameraOff} {...texts.camera[props.trouble]}>
      <div className={classes.actions}>
        <button type="button" className={classes.button} onClick={props.onRetry}>
          {texts.retry}
        </button>
        <button type="button" className={classes.quiet} onClick={props.onAbort}>
          {texts.cancel}
        </button>
      </div>
    </Notice>
  )
}

type Instruction = NonNullable<Session['instruction']>

// The preview is a mirror: the person's left is at its left.
const signs: Readonly<Record<Instruction, LucideIcon>> = {
  LookStraight: ScanFace,
  TurnLeft: ArrowLeft,
  TurnRight: ArrowRight,
  LookUp: ArrowUp,
  LookDown: ArrowDown,
  OpenMouth: Smile,
}

function Live({ camera, session, onFrame, onAbort }: CaptureProps & { camera: MediaStream }) {
  const texts = useTexts()
  const video = useRef<HTMLVideoElement>(null)
  const isSlow = useFrames(video, camera, session, onFrame)
  const instruction = session.instruction ?? 'LookStraight'
  const Sign = signs[instruction]
  useTitle(texts.instructions[instruction])
  return (
    <>
      <h1 data-instruction={instruction} aria-live="assertive">
        <Sign size={28} aria-hidden="true" /> {texts.instructions[instruction]}
      </h1>
      <div className={classes.preview}>
        <video ref={video} className={classes.video} autoPlay muted playsInline aria-label={texts.preview} />
        <svg className={classes.oval} viewBox="0 0 4 3" aria-hidden="true">
          <ellipse cx="2" cy="1.5" rx="0.85" ry="1.15" />
        </svg>
      </div>
      <progress className={classes.progress} max={1} value={session.progress} aria-label={texts.progress} />
      <p className={classes.hint} role="status">
        {isSlow ? texts.slow : <Told session={session} />}
      </p>
      <div className={classes.actions}>
        <button type="button" className={classes.quiet} onClick={onAbort}>
          {texts.cancel}
        </button>
        <span className={classes.muted}>
          {fill(texts.attempt, { attempt: session.attempt, attempts: session.attempts })}
        </span>
      </div>
    </>
  )
}

/** Why the last attempt failed stays until the next movement; what is wrong with the frame, until it is not. */
function Told({ session: { hint, attemptFailure, progress } }: { session: Session }) {
  const texts = useTexts()
  const [failure, setFailure] = useState(attemptFailure)
  useEffect(() => {
    if (attemptFailure || progress > 0) setFailure(attemptFailure)
  }, [attemptFailure, progress])
  if (hint) return texts.hints[hint]
  return failure ? texts.attemptFailures[failure] : null
}

const PAUSE_MS = 1000

/** Sends frame after frame, each when the one before was answered; whether the service is out of reach just now. */
function useFrames(
  video: React.RefObject<HTMLVideoElement | null>,
  camera: MediaStream,
  session: Session,
  onFrame: CaptureProps['onFrame'],
): boolean {
  const [isSlow, setSlow] = useState(false)
  const first = useRef(session)
  useEffect(() => {
    const shown = video.current!
    shown.srcObject = camera
    let isLeft = false
    const run = async () => {
      let current = first.current
      while (!isLeft && current.state === 'InProgress') {
        const jpeg = await frameOf(shown)
        const answer = jpeg === undefined ? undefined : await onFrame(current, jpeg)
        if (answer?.kind === 'session') current = answer.session
        else await pause()
        if (!isLeft) setSlow(answer?.kind === 'unreachable')
      }
    }
    void run()
    return () => {
      isLeft = true
    }
  }, [video, camera, onFrame])
  return isSlow
}

const pause = () => new Promise((done) => setTimeout(done, PAUSE_MS))
