const held = globalThis as typeof globalThis & { wirebird?: Map<string, unknown> };

/** Returns the value, made on first use. */
export interface Singleton<T> {
  (): T;
  set(value: T): void;
}

/**
 * One value for the whole process, by name. Next bundles our modules beside the copies that our own server loads,
 * so a module's variable would exist twice.
 */
export function singleton<T>(name: string, make: () => T): Singleton<T> {
  held.wirebird ??= new Map();
  const values = held.wirebird;
  const get = () => {
    if (!values.has(name)) values.set(name, make());
    return values.get(name) as T;
  };
  return Object.assign(get, { set: (value: T) => void values.set(name, value) });
}

/** Creates every value again on its next use, for test files that run one after another in one process. */
export function forgetSingletons(): void {
  held.wirebird?.clear();
}
