/** Why there is no camera. */
export type CameraTrouble = 'refused' | 'absent' | 'busy' | 'insecure'

const troubles: Readonly<Record<string, CameraTrouble>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'absent',
  OverconstrainedError: 'absent',
}

/** The camera that looks at the person. */
export async function openCamera(): Promise<MediaStream | CameraTrouble> {
  if (!navigator.mediaDevices) return 'insecure'
  try {
    const video = { facingMode: 'user', width: { ideal: 640 }, height: { ideal: 480 } }
    return await navigator.mediaDevices.getUserMedia({ video, audio: false })
  } catch (error) {
    return troubles[(error as DOMException).name] ?? 'busy'
  }
}

/** What the server needs: more pixels cost time and tell it nothing. */
const HEIGHT = 360
const QUALITY = 0.85

/** The frame that the video shows now, as base64; undefined before the first. */
export async function frameOf(video: HTMLVideoElement): Promise<string | undefined> {
  if (video.videoWidth === 0) return undefined
  const canvas = document.createElement('canvas')
  canvas.height = HEIGHT
  canvas.width = Math.round((video.videoWidth * HEIGHT) / video.videoHeight)
  canvas.getContext('2d')!.drawImage(video, 0, 0, canvas.width, canvas.height)
  const jpeg = canvas.toDataURL('image/jpeg', QUALITY)
  return jpeg.slice(jpeg.indexOf(',') + 1)
}
