import assert from 'node:assert/strict';
import { Budget, OutOfBudget } from './budget.ts';

describe('the budget of expressions', () => {
  it('allows exactly its number of steps', () => {
    const budget = new Budget(10);
    budget.spend(4);
    budget.spend(6);
    assert.throws(() => budget.spend(1), OutOfBudget);
    budget.spend(0);
  });

  it('is not charged for expressions that do not compile', () => {
    const budget = new Budget(0);
    const result = budget.evaluate({ problem: 'no such name', text: 'x' }, {} as never);
    assert.deepEqual(result, { ok: false, error: 'compilation error: no such name' });
  });
});
