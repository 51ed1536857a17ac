"""The company's leave policy. Pure: values in, values out."""
