const held = globalThis as typeof globalThis & { wirebird?: Map<string, unknown> };

/** Gives the value, and makes it where there is none yet. */
export interface Singleton<T> {
  (): T;
  set(value: T): void;
}

/**
 * One value for the whole process, under a name of its own. Next bundles our modules beside the copies that our own
 * server loads: a variable of a module would exist twice.
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
