/** The site's events, models and collections, as far as whatsapp-web.js uses them. */

type Listener = (...args: never[]) => void;

export class Emitter {
  #listeners = new Map<string, Listener[]>();

  /** `names`: separated by spaces. */
  on(names: string, listener: Listener): this {
    for (const name of names.split(/\s+/)) this.#listeners.set(name, [...this.#of(name), listener]);
    return this;
  }

  once(name: string, listener: Listener): this {
    const first = (...args: never[]) => {
      this.off(name, first);
      listener(...args);
    };
    return this.on(name, first);
  }

  off(name: string, listener: Listener): this {
    this.#listeners.set(
      name,
      this.#of(name).filter((other) => other !== listener),
    );
    return this;
  }

  listenerCount(name: string): number {
    return this.#of(name).length;
  }

  trigger(name: string, ...args: unknown[]): void {
    for (const listener of this.#of(name)) {
      try {
        listener(...(args as never[]));
      } catch (error) {
        console.error(`listener of ${name}`, error); // the other listeners must still run
      }
    }
  }

  #of(name: string): Listener[] {
    return this.#listeners.get(name) ?? [];
  }
}

// Properties of a model that are not its data, or cannot be cloned.
const NOT_SERIALIZED: readonly string[] = ['collection', 'mediaObject', 'mediaBlob', 'msgs'];

/** An object whose attributes are its own properties, with an event for each change. */
export class Model extends Emitter {
  declare collection?: Emitter;

  constructor(attributes: object) {
    super();
    Object.assign(this, attributes);
  }

  set(attributes: object): this {
    const own = this as unknown as Record<string, unknown>;
    const changes = Object.entries(attributes)
      .filter(([name, value]) => own[name] !== value)
      .map(([name, value]) => ({ name, value, previous: own[name] }));
    for (const { name, value } of changes) own[name] = value;
    for (const { name, value, previous } of changes) {
      this.trigger(`change:${name}`, this, value, previous);
      this.collection?.trigger(`change:${name}`, this, value, previous);
    }
    if (changes.length > 0) {
      this.trigger('change', this);
      this.collection?.trigger('change', this);
    }
    return this;
  }

  serialize(): Record<string, unknown> {
    const entries = Object.entries(this)
      .filter(([name, value]) => !NOT_SERIALIZED.includes(name) && typeof value !== 'function')
      .filter(([, value]) => !(value instanceof Blob))
      .map(([name, value]) => [name, value instanceof Model ? value.serialize() : value]);
    return Object.fromEntries(entries);
  }

  toJSON(): Record<string, unknown> {
    return this.serialize();
  }
}

export type Id = string | { equals(other: Id): boolean; toString(): string };

/** An ID as text. Use this instead of a key's own property, which differs between builds. */
export const textOf = (id: Id): string => String(id);

export class Collection<M extends Model & { id: Id }> extends Emitter {
  #models = new Map<string, M>();

  get(id: Id | undefined): M | undefined {
    return id === undefined ? undefined : this.#models.get(textOf(id));
  }

  /** Adds a model, or returns the one that already has its ID. `silent`: without an event. */
  add(model: M, { silent = false } = {}): M {
    const known = this.get(model.id);
    if (known) return known;
    model.collection ??= this;
    this.#models.set(textOf(model.id), model);
    if (!silent) this.trigger('add', model);
    return model;
  }

  getModelsArray(): M[] {
    return [...this.#models.values()];
  }
}
