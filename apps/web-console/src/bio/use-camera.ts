import { useCallback, useEffect, useState } from 'react'
import { type CameraTrouble, openCamera } from './camera.ts'

/** The camera while the page needs it, or why there is none; undefined until that is known. */
export function useCamera(): { readonly camera: MediaStream | CameraTrouble | undefined; readonly retry: () => void } {
  const [camera, setCamera] = useState<MediaStream | CameraTrouble>()
  const [round, setRound] = useState(0)
  const retry = useCallback(() => setRound((now) => now + 1), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another round asks anew
  useEffect(() => {
    let isLeft = false
    let opened: MediaStream | CameraTrouble | undefined
    setCamera(undefined)
    void openCamera().then((found) => {
      opened = found
      if (isLeft) stop(found)
      else setCamera(found)
    })
    return () => {
      isLeft = true
      stop(opened)
    }
  }, [round])
  return { camera, retry }
}

/** Its light goes out when nobody needs it. */
function stop(camera: MediaStream | CameraTrouble | undefined): void {
  if (typeof camera === 'object') for (const track of camera.getTracks()) track.stop()
}
