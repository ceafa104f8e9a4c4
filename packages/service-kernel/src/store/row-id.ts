import { randomUUID } from 'node:crypto'

let lastTime = 0
let sequence = 0
let timeText = '00000000-0000'

/**
 * UUID version 7 (RFC 9562 §5.7): ids sort in the order of creation, so that new rows go to the end of the index and
 * rows of one instant keep their order. The 12 bits after the version count within a millisecond (§6.2, method 1).
 */
export function newRowId(now: Date): string {
  advance(now.getTime())
  const count = sequence.toString(16).padStart(3, '0')
  // The tail of a random UUID fits version 7: the variant and 62 random bits.
  return `${timeText}-7${count}-${randomUUID().slice(19)}`
}

// A count that overflows uses the next millisecond; a clock set back does not make ids go back.
function advance(time: number): void {
  if (time > lastTime) begin(time)
  else if (sequence < 0xfff) sequence += 1
  else begin(lastTime + 1)
}

function begin(time: number): void {
  lastTime = time
  sequence = 0
  const text = time.toString(16).padStart(12, '0')
  timeText = `${text.slice(0, 8)}-${text.slice(8)}`
}
