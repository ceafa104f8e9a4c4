/** Something the person at the machine can mend; its message is one sentence for them. */
export class AgentProblem extends Error {
  override readonly name = 'AgentProblem'
}
