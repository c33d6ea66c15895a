// Columns of numbers as the page holds them: base64 of little-endian binary, one entry a sample.

export interface PackedColumn {
  type: "u8" | "u16" | "u32";
  data: string;
}

export interface PackedSamples {
  count: number;
  columns: Record<string, PackedColumn>;
  ids?: Record<string, string>;
}

// The greatest value of a column's type stands for "none"; it is read as kNone in every type.
export const kNone = -1;

export class Samples {
  private readonly unpacked = new Map<string, Int32Array>();

  constructor(
    readonly count: number,
    private readonly packed: Record<string, PackedColumn>,
    readonly ids: Record<string, string>,
  ) {}

  has(name: string): boolean {
    return name in this.packed;
  }

  // Unpacked when first asked for. A column that the page does not hold is "none" throughout.
  column(name: string): Int32Array {
    let column = this.unpacked.get(name);
    if (!column) {
      const packed = this.packed[name];
      column = packed ? unpack(packed) : new Int32Array(this.count).fill(kNone);
      if (column.length !== this.count) throw new Error(`column ${name} holds ${column.length} of ${this.count} samples`);
      this.unpacked.set(name, column);
    }
    return column;
  }
}

export function unpackSamples(packed: PackedSamples): Samples {
  return new Samples(packed.count, packed.columns, packed.ids ?? {});
}

const kWidths = { u8: 1, u16: 2, u32: 4 };

function unpack({ type, data }: PackedColumn): Int32Array {
  const width = kWidths[type];
  const none = 2 ** (8 * width) - 1;
  const text = atob(data);
  const out = new Int32Array(text.length / width);
  for (let i = 0; i < out.length; ++i) {
    let value = 0;
    for (let k = width - 1; k >= 0; --k) value = value * 256 + text.charCodeAt(i * width + k);
    out[i] = value === none ? kNone : value;
  }
  return out;
}
