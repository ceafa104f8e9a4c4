// Tells a process from a later one with the same number: after a power failure the number in a file may be anybody's.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** What stays the same while a process runs; undefined where the system does not say. */
export function markOf(pid: number): string | undefined {
  try {
    return (marks[process.platform] ?? fromProc)(pid) || undefined
  } catch {
    return undefined // no such process, or the system keeps it to itself
  }
}

const marks: Readonly<Record<string, (pid: number) => string | undefined>> = {
  darwin: (pid) => execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim(),
  // The name of the program: when it was started Windows tells only PowerShell, which takes half a second to ask.
  win32: (pid) =>
    programInTaskList(execFileSync('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'], { encoding: 'utf8' })),
}

/** The boot, and when the process was started in it. */
function fromProc(pid: number): string {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return `${boot} ${startTimeInStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))}`
}

/** Field 22 of proc(5); the name, field 2, may contain spaces and parentheses. */
export const startTimeInStat = (stat: string): string => stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]!

/** `"chancela-agent.exe","4711","Console","1","50,000 K"`, or a sentence that nothing was found. */
export const programInTaskList = (text: string): string | undefined => /^"([^"]+)","\d+"/m.exec(text)?.[1]
